import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The clients, and the programs that finish their installation. */
export const PACKAGES: Readonly<Record<string, { readonly version: string; readonly finish?: string }>> = {
  '@anthropic-ai/claude-code': { version: '2.1.330', finish: 'install.cjs' },
  '@openai/codex': { version: '0.169.0' },
  openclaw: { version: '2026.9.6' },
  'opencode-ai': { version: '1.18.33', finish: 'postinstall.mjs' },
}

/** One for all checkouts: it takes 1.4 GB. `PALIMPSEST_CLIENTS` names another. */
export const CLIENTS_FOLDER =
  process.env.PALIMPSEST_CLIENTS || join(homedir(), '.cache', 'palimpsest-clients')

export const CLIENT_PROGRAMS = join(CLIENTS_FOLDER, 'node_modules', '.bin')

/** Runs before the tests. */
export default function setup(): void {
  const missing = ['claude', 'codex', 'openclaw', 'opencode'].filter(
    (name) => !existsSync(join(CLIENT_PROGRAMS, name)),
  )
  if (missing.length > 0)
    throw new Error(`not installed: ${missing.join(', ')}; pnpm test:clients:install installs them`)
}
