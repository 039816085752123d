import { join } from 'node:path'
import { type LcmOptions, lcm } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
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
  options: (folder) => ({ store: () => createSqliteStore({ path: join(folder, STORE_FILE) }) }),
  tools: ['lcm_grep', 'lcm_describe', 'lcm_expand'],
})
