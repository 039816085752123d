import { type BrokenEngine, broken } from './broken-engine.ts'

/** Mistakes in what an engine says of itself. */
export const brokenShapes: readonly BrokenEngine[] = [
  broken('speaks another version of the contract', 'C01', {
    members: () => ({ apiVersion: 2 as 1 }),
  }),
  broken('has a name that says how often it compacted', 'C02', {
    members: (engine) => ({
      get name() {
        return engine.compressionCount === 0 ? 'reference' : `reference-${engine.compressionCount}`
      },
    }),
  }),
  broken('declares tools and offers none', 'C03', {
    parts: () => ({ toolSchemas: () => [] }),
  }),
  broken('declares nothing', 'C03', {
    members: () => ({ capabilities: [] }),
  }),
  broken('counts for all engines together', 'C05 C53', {
    members: (engine) => ({
      updateFromResponse(usage) {
        engine.updateFromResponse(usage)
        everybody = engine.lastPromptTokens
      },
      get lastPromptTokens() {
        return everybody
      },
    }),
  }),
]

let everybody = 0
