import '../style/base.css';
import '../frame/frame.css';
import '../public/grid/grid.css';
import '../public/sql/sql.css';
import './index_page.css';

import { IndexPage } from './page.ts';
import { applyTheme } from './theme.ts';

applyTheme();
const page = new IndexPage();
document.body.append(page.node);
page.start();
