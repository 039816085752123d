/** The import rules of `docs/design.md`, section 2. */
const engines = 'compressor'
const onlyCore =
  'tokens|summaries|transcripts|prompt-caching|contract-tests|provider-utils|store|mcp|openai-agents'
const providers = 'gemini|openai|ai-sdk|langchain|gateway'
const storing = 'lcm|decisions'

/** A package may import, of the packages of this repository, only those named. */
const mayImport = (name, who, allowed) => ({
  name,
  severity: 'error',
  from: { path: `^packages/(${who})/src` },
  to: { path: '^packages/', pathNot: `^packages/($1${allowed})/` },
})

export default {
  forbidden: [
    mayImport('core-imports-no-other-package', 'core', ''),
    mayImport('services-import-core-only', onlyCore, '|core'),
    mayImport('providers-import-core-and-provider-utils', providers, '|core|provider-utils'),
    mayImport('mastra-imports-core-and-ai-sdk', 'mastra', '|core|ai-sdk'),
    mayImport('inspector-imports-core-and-prompt-caching', 'inspector', '|core|prompt-caching'),
    mayImport('engines-import-core-and-summaries', engines, '|core|summaries'),
    mayImport('engines-that-store-import-the-store-too', storing, '|core|summaries|store'),
    mayImport(
      'extensions-of-hosts-import-core-their-engine-and-readers',
      'pi|openclaw',
      '|core|lcm|provider-utils|store|summaries|tokens|transcripts',
    ),
    mayImport('postgres-imports-core-and-the-store', 'postgres', '|core|store'),
    {
      name: 'the-log-alone-compares-a-list-of-a-host',
      comment: 'Everything else speaks of ids.',
      severity: 'error',
      from: { pathNot: '^packages/core/src/session/conversation-log.ts$' },
      to: { path: '^packages/core/src/session/host-list.ts$' },
    },
    {
      name: 'nothing-imports-apps',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    {
      name: 'apps-do-not-import-each-other',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'spec-holds-types-only',
      comment: 'Types may come from the spec alone, and nothing may be imported for its value.',
      severity: 'error',
      from: { path: '^packages/core/src/spec/' },
      to: { pathNot: '^packages/core/src/spec/' },
    },
    {
      name: 'spec-imports-no-values',
      severity: 'error',
      from: { path: '^packages/core/src/spec/' },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'errors-import-nothing',
      severity: 'error',
      from: { path: '^packages/core/src/errors/' },
      to: { pathNot: '^packages/core/src/errors/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'sources-do-not-import-tests',
      severity: 'error',
      from: { path: '^(packages|apps)/[^/]+/src' },
      to: { path: '^(packages|apps)/[^/]+/test' },
    },
    {
      name: 'no-unresolved-imports',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-dependencies',
      severity: 'error',
      from: { path: '^(packages|apps)/[^/]+/src' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] },
    },
  ],
  options: {
    exclude: { path: '(^|/)(dist|node_modules)/' },
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['@palimpsest/source', 'import', 'types', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
}
