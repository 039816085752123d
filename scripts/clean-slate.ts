import { afterAll, vi } from 'vitest'

/**
 * Test files share processes: one for each would load again what the one before had loaded, which took 0.4 s of a core for
 * each of five hundred. So nothing that a file puts in place of something else stays for the next.
 */
const folder = process.cwd()
const environment = { ...process.env }
/** A signal that a test sends is heard by whatever an earlier file left listening. */
const listeners = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => ({
  signal,
  known: new Set(process.listeners(signal)),
}))
/** A server of `@hono/node-server` puts its own in their place. */
const web = { Request: globalThis.Request, Response: globalThis.Response }

afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  for (const [name, value] of Object.entries(web))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  for (const { signal, known } of listeners)
    for (const listener of process.listeners(signal)) if (!known.has(listener)) process.off(signal, listener)
  process.chdir(folder)
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
})
