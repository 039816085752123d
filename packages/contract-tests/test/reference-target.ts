import type { ContextEngine, Message } from '@palimpsest/core'
import type { ContractTarget } from '../src/index.ts'
import { referenceEngine } from './reference-engine.ts'

/** The reference engine as its author would hand it to the suite. */
export const referenceTarget: ContractTarget = {
  name: 'reference',
  create: ({ storage, options, ...host }) => referenceEngine.create({ folder: storage, ...options }, host),
  recall: readThroughTool,
  expectCapabilities: ['tools', 'selection', 'pruning', 'summarizer', 'persistence', 'lossless'],
}

/** The same engine when it keeps nothing but the projection. */
export const lossyTarget: ContractTarget = {
  name: 'reference, lossy',
  create: ({ options, storage: _, ...host }) => referenceEngine.create({ ...options }, host),
  expectCapabilities: ['selection', 'pruning', 'summarizer'],
}

/** Piece after piece through `ref_get`, as a model would. */
export async function readThroughTool(engine: ContextEngine, _message: Message, at: number): Promise<string> {
  let text = ''
  for (let offset: number | null = 0; offset !== null; ) {
    const answer: { text?: string; next?: number | null; error?: string } = JSON.parse(
      await engine.handleToolCall('ref_get', { index: at, offset }),
    )
    if (answer.error !== undefined) throw new Error(answer.error)
    text += answer.text
    offset = answer.next ?? null
  }
  return text
}
