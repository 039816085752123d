import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Arm } from '../arm.ts'
import { packageLabel } from './peer-arm.ts'
import { sessionCompaction } from './session-compaction.ts'

/** `pnpm test:clients:install` installs it there. It takes 331 MB, so it is no dependency. */
const CLIENTS = process.env.PALIMPSEST_CLIENTS || join(homedir(), '.cache', 'palimpsest-clients')
export const OPENCLAW_PACKAGE = join(CLIENTS, 'node_modules', 'openclaw')

/**
 * The compaction of OpenClaw's engine `legacy`, in its mode `default`: its own edition of pi's. The mode `safeguard` asks the model
 * again when a summary lacks headings, and cannot be run outside of a gateway. Undefined when OpenClaw is not installed.
 */
export const openClawCompaction: Arm | undefined = existsSync(OPENCLAW_PACKAGE) ? arm() : undefined

function arm(): Arm {
  const manifest = JSON.parse(readFileSync(join(OPENCLAW_PACKAGE, 'package.json'), 'utf8'))
  return sessionCompaction({
    name: 'openclaw compaction',
    functions: `prepareCompaction and compact of ${packageLabel(manifest)}`,
    load: () => import(pathToFileURL(join(OPENCLAW_PACKAGE, 'dist/plugin-sdk/agent-core.js')).href),
  })
}
