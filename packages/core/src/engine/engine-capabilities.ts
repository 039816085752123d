import type { EngineCapability } from '../spec/v1/capability.ts'

/** Every capability that this version of the contract knows. */
export const ENGINE_CAPABILITIES: readonly EngineCapability[] = Object.freeze([
  'tools',
  'selection',
  'pruning',
  'summarizer',
  'persistence',
  'lossless',
])
