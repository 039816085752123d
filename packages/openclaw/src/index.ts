import { join } from 'node:path'
import { type LcmOptions, lcm } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { contextEnginePlugin } from './context-engine-plugin.ts'

export {
  type ContextEnginePluginOptions,
  contextEnginePlugin,
  type OpenClawPlugin,
} from './context-engine-plugin.ts'

/** The file of an agent's conversations, in the plug-in's folder inside of the agent's own. */
export const STORE_FILE = 'lcm.db'

/** The plug-in: lossless context management, with a store in the agent's folder and three tools to recall. */
export default contextEnginePlugin<LcmOptions>({
  id: 'palimpsest',
  name: 'Palimpsest',
  engine: lcm,
  options: (folder) => ({ store: () => createSqliteStore({ path: join(folder, STORE_FILE) }) }),
  tools: ['lcm_grep', 'lcm_describe', 'lcm_expand'],
})
