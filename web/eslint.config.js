import js from '@eslint/js';
import tseslint from 'typescript-eslint';

// Who may import whom is in tools/check_deps.py.

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
);
