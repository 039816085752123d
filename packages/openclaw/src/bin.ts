#!/usr/bin/env node
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { errorText, type Store } from '@palimpsest/core'
import { createSqliteStore } from '@palimpsest/store'
import { STORE_FILE } from './context-engine-plugin.ts'
import { importLosslessClaw } from './import-lossless-claw.ts'
import { PLUGIN_ID } from './plugin.ts'

const USAGE = `palimpsest-openclaw import-lossless-claw [<lcm.db>] [--state <folder>]

Takes over what lossless-claw has stored. Stop OpenClaw's gateway before.
<lcm.db>  lossless-claw's database. Default: lcm.db in the state folder.
--state   OpenClaw's state folder. Default: $OPENCLAW_STATE_DIR, or ~/.openclaw.`

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { state: { type: 'string' } },
  })
  const [command, ...paths] = positionals
  if (command !== 'import-lossless-claw' || paths.length > 1) throw new Error(USAGE)
  const state = values.state ?? process.env.OPENCLAW_STATE_DIR ?? join(homedir(), '.openclaw')
  const from = paths[0] ?? join(state, 'lcm.db')
  if (!existsSync(from)) throw new Error(`there is no ${from}; name lossless-claw's database`)
  const stores = new Map<string, Store>()
  const storeOf = (agentId: string): Store => {
    const folder = join(state, 'agents', agentId, 'agent', PLUGIN_ID)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const store = stores.get(agentId) ?? createSqliteStore({ path: join(folder, STORE_FILE) })
    stores.set(agentId, store)
    return store
  }
  try {
    const { skipped, ...taken } = await importLosslessClaw({ from, storeOf })
    console.log(
      `${taken.conversations} conversations, ${taken.messages} messages, ${taken.summaries} summaries; ${taken.summariesLeftOut} summaries left out, whose messages are there`,
    )
    for (const { sessionId, reason } of skipped) console.log(`left out: ${sessionId}: ${reason}`)
  } finally {
    for (const store of stores.values()) await store.close()
  }
}

main().catch((error: unknown) => {
  console.error(errorText(error))
  process.exitCode = 1
})
