import { defineConfig } from 'vitest/config'

const condition = '@palimpsest/source'

export default defineConfig({
  // Tests run on the sources: no build stands between an edit and its test.
  resolve: { conditions: [condition] },
  // Workers pass the conditions on to Node, which knows by itself what is imported and what is required.
  ssr: { resolve: { conditions: [condition, 'node', 'module', 'default'] } },
  test: {
    reporters: ['default', './scripts/closing-line.ts'],
    setupFiles: ['./scripts/fixed-seed.ts'],
    testTimeout: 60_000,
    // Half of the tests wait for processes that they started.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts'] },
      },
      {
        // On the published packages: needs a build, and starts a registry when one of its files runs.
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/test/**/*.test.ts'],
          globalSetup: './e2e/setup.ts',
          testTimeout: 300_000,
          // Behind the others: installations leave them too little of a small machine.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
