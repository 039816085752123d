import { ModelError } from '@palimpsest/core'
import { fixedTokenCounter } from './fixed-token-counter.ts'
import { createScriptedModel, PLAUSIBLE_SUMMARY, type ScriptedModel } from './scripted-model.ts'

/** A model that refuses what is longer than its window, as providers do. */
export interface NarrowModel extends ScriptedModel {
  /** The prompts that it took. */
  readonly read: readonly string[]
}

/** `contextLength` is its window, in tokens of the fixed counter. */
export function createNarrowModel(contextLength: number): NarrowModel {
  const read: string[] = []
  const tooLong = new ModelError('context-overflow', 'the prompt is too long', { contextLength })
  const model = createScriptedModel(
    [
      ({ system = '', prompt }) => {
        if (fixedTokenCounter.countText(system + prompt) > contextLength) return tooLong
        read.push(prompt)
        return PLAUSIBLE_SUMMARY
      },
    ],
    contextLength,
  )
  return { ...model, read }
}
