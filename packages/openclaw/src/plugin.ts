import { join } from 'node:path'
import type { Message } from '@palimpsest/core'
import { type LcmOptions, lcm } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { createTokenCounter } from '@palimpsest/tokens'
import { contextEnginePlugin } from './context-engine-plugin.ts'

/** The plug-in's id in OpenClaw, and the name of its folder in an agent's own. */
export const PLUGIN_ID = 'palimpsest'
/** The store in that folder. */
export const STORE_FILE = 'lcm.db'

/** The plug-in: lossless context management, with a store in the agent's folder and three tools to recall. */
export const plugin = contextEnginePlugin<LcmOptions>({
  id: PLUGIN_ID,
  name: 'Palimpsest',
  engine: lcm,
  // An estimate by characters is too low by half for lists of numbers, and a prompt that is too long costs a request.
  tokens: createTokenCounter(),
  options: (folder) => ({ store: () => createSqliteStore({ path: join(folder, STORE_FILE) }) }),
  stored: (folder, sessionId) => readStored(join(folder, STORE_FILE), sessionId),
  tools: ['lcm_grep', 'lcm_describe', 'lcm_expand'],
})

const PAGE = 500

/** The conversation as it is stored, without what was replaced. */
async function readStored(path: string, sessionId: string): Promise<readonly Message[]> {
  const store = createSqliteStore({ path })
  try {
    const session = await store.find({ key: sessionId })
    const messages: Message[] = []
    for (let first = 0; session !== null; ) {
      const page = await session.messages({ first, limit: PAGE })
      for (const { json } of page) if (json !== '') messages.push(JSON.parse(json))
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) break
      first = last.seq + 1
    }
    return messages
  } finally {
    await store.close()
  }
}
