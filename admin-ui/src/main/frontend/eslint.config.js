import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'src/api/generated'] },
  {
    files: ['src/**/*.{ts,tsx}', 'vite.config.ts'],
    extends: [
      ...tseslint.configs.strictTypeChecked,
      ...tseslint.configs.stylisticTypeChecked,
      jsxA11y.flatConfigs.strict,
      reactHooks.configs.flat['recommended-latest'],
    ],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      // Areas that scroll must be reached by keyboard; browsers do not all see to it.
      'jsx-a11y/no-noninteractive-tabindex': ['error', { roles: ['region', 'application'], tags: [] }],
      // Dialogs put the focus where one begins to type.
      'jsx-a11y/no-autofocus': ['error', { ignoreNonDOM: true }],
      // Mapped types over some keys are not records.
      '@typescript-eslint/consistent-indexed-object-style': 'off',
      // What is drawn on a canvas is a picture to those who do not see it; each has a table beside it.
      'jsx-a11y/no-interactive-element-to-noninteractive-role': ['error', { canvas: ['img'] }],
      'jsx-a11y/no-noninteractive-element-interactions': ['error', { handlers: ['onClick'] }],
      // `void` says that nobody waits for it.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
);
