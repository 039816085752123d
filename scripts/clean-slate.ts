import { afterAll, vi } from 'vitest'

/**
 * Test files share processes: one for each would load again what the one before had loaded, which took 0.4 s of a core for
 * each of five hundred. So nothing that a file puts in place of something else stays for the next.
 */
const folder = process.cwd()
const environment = { ...process.env }

afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  process.chdir(folder)
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
})
