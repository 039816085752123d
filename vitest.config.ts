import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import LongFilesFirst from './scripts/long-files-first.ts'
import { temporaryFolder } from './scripts/temporary-folder.ts'

const condition = '@palimpsest/source'

// For the processes of tests, and for the servers that this one starts.
process.env.TMPDIR = temporaryFolder()

/** They replace modules for all that is loaded behind them, so they run in processes of their own. */
const replacingModules = [
  'packages/core/test/discovery/{broken-folders,packages}.test.ts',
  'apps/palimpsest/test/replay-page.test.ts',
]

/** Promises of the contract, tried on every engine and host. */
const contractSuites = [
  'packages/{compressor,decisions,lcm}/test/contract.test.ts',
  'packages/contract-tests/test/broken/share-*.test.ts',
  'packages/contract-tests/test/host/broken-hosts.test.ts',
]

/**
 * Generated conversations by the hundred, processes that are killed, and the suites of hosts and of engines: seconds each. They
 * run with all others, and not with `--project unit`, which is for after an edit.
 */
const longTests = [
  'packages/{ai-sdk,langchain,mastra,openai-agents,pi}/test/host.test.ts',
  'packages/compressor/test/{classic,compress,invariants.property}.test.ts',
  'packages/contract-tests/test/{broken-engines,cli,host/loop-host,node-test,readme}.test.ts',
  'packages/core/test/{invariants/check-projection,messages/repair-messages,redaction/redact-secrets}.test.ts',
  'packages/core/test/{session/session-invariants,session/window-fit}.test.ts',
  'packages/decisions/test/engine/story.test.ts',
  'packages/decisions/test/resolve.test.ts',
  'packages/lcm/test/{search/search-store,tools/lcm-expand}.test.ts',
  'packages/lcm/test/engine/{background,forgotten,store-trouble}.test.ts',
  'packages/lcm/test/engine/{assembly,convergence,cost,fresh-tail,killed,long-history,oracle.property,over-budget,prompts}.test.ts',
]

/** Node itself loads tests and sources: what computes is up to a quarter faster than through Vite's module runner. */
const withoutVite = { viteModuleRunner: false, nodeLoader: false }

export default defineConfig({
  // Tests run on the sources: no build stands between an edit and its test.
  resolve: { conditions: [condition] },
  // Workers pass the conditions on to Node, which knows by itself what is imported and what is required.
  ssr: { resolve: { conditions: [condition, 'node', 'module', 'default'] } },
  test: {
    reporters: ['default', './scripts/closing-line.ts'],
    setupFiles: ['./scripts/fixed-seed.ts', './scripts/clean-slate.ts'],
    sequence: { sequencer: LongFilesFirst },
    env: {
      // Half of the time of a command that a test starts is compiling what the one before compiled.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('./node_modules/.cache/compile', import.meta.url)),
      // No database, configuration or plug-ins of whoever runs the tests.
      PALIMPSEST_STORE_URL: '',
      PALIMPSEST_HOME: fileURLToPath(new URL('./node_modules/.cache/no-home', import.meta.url)),
    },
    // Limits end what hangs. On a busy machine everything takes ten times as long and still has to pass.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    // Tests wait for processes that they started, installations and browsers: one worker more than processors.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{packages,apps}/*/test/**/*.test.ts'],
          exclude: [...replacingModules, ...contractSuites, ...longTests],
          // `clean-slate.ts` puts back what files must not share otherwise.
          isolate: false,
          experimental: withoutVite,
          globalSetup: './packages/postgres/test/support/shared-server.ts',
        },
      },
      {
        extends: true,
        test: { name: 'long', include: longTests, isolate: false, experimental: withoutVite },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          include: contractSuites,
          isolate: false,
          experimental: withoutVite,
        },
      },
      { extends: true, test: { name: 'alone', include: replacingModules } },
      {
        // On the published packages: needs a build, and starts a registry when one of its files runs.
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/test/**/*.test.ts'],
          globalSetup: './e2e/setup.ts',
          // Installations beside all other tests, on a small machine.
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        // Minutes of building and installing, beside what `pnpm release:rehearse` does.
        extends: true,
        test: {
          name: 'release',
          include: ['e2e/release/**/*.test.ts'],
          globalSetup: './e2e/setup.ts',
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
})
