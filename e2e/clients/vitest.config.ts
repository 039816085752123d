import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const conditions = ['@palimpsest/source']

/** Real clients against scripted models: a project of its own, because the clients are installed by a command of their own. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { conditions },
  ssr: { resolve: { conditions: [...conditions, 'node', 'module', 'default'] } },
  test: {
    name: 'clients',
    include: ['e2e/clients/*.test.ts'],
    globalSetup: fileURLToPath(new URL('clients-folder.ts', import.meta.url)),
    testTimeout: 600_000,
    // OpenClaw takes its time to stop.
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
