import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { conversationSchema, type LabelledConversation } from './conversation.ts'

/** Mistakes on `dev` and `held-out` may be looked at. `unseen` was written without knowledge of any extractor: quote it. */
export const PARTS = ['dev', 'held-out', 'unseen'] as const
export type Part = (typeof PARTS)[number]

export interface LabelledPart {
  readonly part: Part
  readonly conversations: readonly LabelledConversation[]
}

/** A part of the labelled set. @throws Error that names file, line and place of the first conversation that is wrong. */
export async function readPart(root: URL, part: Part): Promise<LabelledPart> {
  const file = fileURLToPath(new URL(`data/decisions/${part}.jsonl`, root))
  return { part, conversations: parseLabelled(await readFile(file, 'utf8'), file) }
}

export function parseLabelled(text: string, file: string): LabelledConversation[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const { data, error } = conversationSchema.safeParse(jsonOf(line, `${file}:${index + 1}`))
    if (data === undefined) throw new Error(`${file}:${index + 1}: ${z.prettifyError(error)}`)
    return [data]
  })
}

function jsonOf(line: string, where: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new Error(`${where}: ${cause instanceof Error ? cause.message : 'no JSON'}`, { cause })
  }
}
