import { type LcmOptions, lcm } from '@palimpsest/lcm'
import { createTokenCounter } from '@palimpsest/tokens'
import { contextEnginePlugin } from './context-engine-plugin.ts'

const PLUGIN_ID = 'palimpsest'

/** The plug-in: lossless context management, with a store in the agent's folder and three recall tools. */
export const plugin = contextEnginePlugin<LcmOptions>({
  id: PLUGIN_ID,
  name: 'Palimpsest',
  engine: lcm,
  // An estimate by characters is half too low for lists of numbers, and a prompt that is too long costs a request.
  tokens: createTokenCounter(),
  tools: ['lcm_grep', 'lcm_describe', 'lcm_expand'],
})
