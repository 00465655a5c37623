import '../style/base.css';
import '../style/frame.css';
import '../style/opening.css';
import '../style/table.css';
import '../style/index_page.css';

import { IndexPage } from './page.ts';
import { applyTheme } from './theme.ts';

applyTheme();
const page = new IndexPage();
document.body.append(page.node);
page.start();
