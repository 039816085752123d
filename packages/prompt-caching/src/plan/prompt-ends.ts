import type { RequestLayout } from '../layout/request-layout.ts'

/** The blocks before the messages. */
export interface PromptHead {
  /** The last tool that can carry a breakpoint. */
  readonly tools: number | undefined
  /** The last block of the system prompt that can carry one. */
  readonly system: number | undefined
  /**
   * The end of what stays the same for the whole session: the first of two blocks of the system prompt, the second
   * being what an engine appended; else the last block of the system prompt; without one, the last tool.
   */
  readonly end: number | undefined
  /** Index of the first block of a message; the number of blocks when there is none. */
  readonly messages: number
}

/** Looks at tools and system prompt only. */
export function findHead({ blocks }: RequestLayout): PromptHead {
  const system: number[] = []
  let tools: number | undefined
  let index = 0
  for (; index < blocks.length; index++) {
    const block = blocks[index]
    if (block?.ref?.at === 'message') break
    if (block?.ref?.at === 'system') system.push(index)
    else if (block?.ref?.at === 'tool' && block.carries) tools = index
  }
  const carrying = system.filter((at) => blocks[at]?.carries)
  const last = carrying.at(-1)
  return {
    tools,
    system: last,
    end: (system.length === 2 ? carrying[0] : last) ?? tools,
    messages: index,
  }
}

/** The last block that can carry a breakpoint; looks back no further than to `from`. */
export function findTail({ blocks }: RequestLayout, from = 0): number | undefined {
  for (let index = blocks.length - 1; index >= from; index--) {
    if (blocks[index]?.carries) return index
  }
  return undefined
}
