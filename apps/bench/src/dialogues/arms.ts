import compressor from '@palimpsest/compressor'
import type { EngineDefinition } from '@palimpsest/core'
import decisions from '@palimpsest/decisions'
import lcm from '@palimpsest/lcm'
import { truncate } from './truncate-engine.ts'

/** An engine with its options, as a host would configure it. */
export interface Arm {
  readonly name: string
  readonly engine: EngineDefinition<object>
  readonly options: object
  /** Tools that find what is not in the prompt, with the arguments of a search for some words. */
  readonly searches: readonly Search[]
}

export interface Search {
  readonly tool: string
  arguments(words: string): object
}

const grep: Search = { tool: 'lcm_grep', arguments: (query) => ({ query }) }
const list: Search = { tool: 'decisions_list', arguments: (query) => ({ query }) }

const arm = (
  name: string,
  engine: EngineDefinition<object>,
  options: object,
  ...searches: readonly Search[]
): Arm => ({ name, engine, options, searches })

/** What is compared. The first one is what the others are compared with. */
export const ARMS: readonly Arm[] = [
  arm('truncate', truncate, {}),
  arm('compressor', compressor, {}),
  arm('lcm', lcm, {}, grep),
  arm('decisions', decisions, {}, list),
  arm('decisions over compressor', decisions, { compaction: { engine: compressor, options: {} } }, list),
  arm('decisions over lcm', decisions, { compaction: { engine: lcm, options: {} } }, list, grep),
]
