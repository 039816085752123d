import { LedgerError } from './errors.ts'
import { isLevel, type Level } from './log.ts'

export interface Config {
  readonly port: number
  readonly dataDir: string
  readonly logLevel: Level
  readonly bankToken: string | undefined
}

/** The accountants' tool has this port built in. */
export const DEFAULT_PORT = 8471

export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const port = env.TALLY_PORT === undefined ? DEFAULT_PORT : Number(env.TALLY_PORT)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new LedgerError('bad-config', `TALLY_PORT must be a port between 1 and 65535, not "${env.TALLY_PORT}"`)
  }
  const logLevel = env.TALLY_LOG_LEVEL ?? 'info'
  if (!isLevel(logLevel)) {
    throw new LedgerError('bad-config', `TALLY_LOG_LEVEL must be debug, info, warn or error, not "${logLevel}"`)
  }
  return { port, dataDir: env.TALLY_DATA_DIR ?? './data', logLevel, bankToken: env.BANK_API_TOKEN }
}
