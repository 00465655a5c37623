import js from '@eslint/js';
import tseslint from 'typescript-eslint';

// The dependency direction of the page: base <- model <- public <- views; the frame may see all but
// the views, which it meets only through the registry. A view that needs more gets it from public/.
const forbid = (...patterns) => [
  'error',
  { patterns: patterns.map((group) => ({ group: [group] })) },
];

export default tseslint.config(
  {
    ignores: [
      '.cache/**',
      'dist/**',
      'node_modules/**',
      'test-results/**',
      'eslint.config.js',
      // Not compiled where it lies (tools/new_view.sh).
      'skeleton/**',
      'src/model/report_types.ts',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'max-lines': ['error', 800],
      eqeqeq: ['error', 'always'],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-non-null-assertion': 'error',
      // Names and messages come from strangers' files: text nodes only, ever.
      'no-restricted-properties': [
        'error',
        { property: 'innerHTML', message: 'Data is untrusted: build nodes with el().' },
        { property: 'outerHTML', message: 'Data is untrusted: build nodes with el().' },
        { property: 'insertAdjacentHTML', message: 'Data is untrusted: build nodes with el().' },
      ],
    },
  },
  {
    files: ['src/base/**/*.ts'],
    ignores: ['**/*_test.ts'],
    rules: { 'no-restricted-imports': forbid('../*') },
  },
  {
    // Geometry only: no model, no page.
    files: ['src/layout/**/*.ts'],
    ignores: ['**/*_test.ts'],
    rules: {
      'no-restricted-imports': forbid(
        '../model/*',
        '../public/*',
        '../drawing/*',
        '../views/*',
        '../frame/*',
      ),
    },
  },
  {
    files: ['src/model/**/*.ts'],
    rules: { 'no-restricted-imports': forbid('../public/*', '../views/*', '../frame/*') },
  },
  {
    // The drawing of graphs stands on public/ and is handed on by one file of it.
    files: ['src/public/**/*.ts'],
    ignores: ['src/public/drawing.ts'],
    rules: { 'no-restricted-imports': forbid('../views/*', '../frame/*', '../drawing/*') },
  },
  {
    files: ['src/drawing/**/*.ts'],
    rules: {
      'no-restricted-imports': forbid(
        '../views/*',
        '../frame/*',
        '../model/*',
        '../public/drawing.ts',
      ),
    },
  },
  {
    files: ['src/frame/**/*.ts'],
    rules: { 'no-restricted-imports': forbid('../views/*/*') },
  },
  {
    files: ['src/views/*/**/*.ts'],
    rules: {
      'no-restricted-imports': forbid(
        '../../base/*',
        '../../model/*',
        '../../frame/*',
        '../../layout/*',
        '../[a-z]*',
      ),
    },
  },
);
