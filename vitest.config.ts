import { defineConfig } from 'vitest/config'

const condition = '@palimpsest/source'

export default defineConfig({
  // Tests run on the sources: no build stands between an edit and its test.
  resolve: { conditions: [condition] },
  ssr: { resolve: { conditions: [condition, 'node', 'import', 'module', 'default'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts'],
    reporters: ['default', './scripts/closing-line.ts'],
    setupFiles: ['./scripts/fixed-seed.ts'],
    testTimeout: 60_000,
  },
})
