import type { OpenedArm, Search } from '../arms/arm.ts'
import type { Subject } from './dialogue.ts'
import { readableText } from './readable-text.ts'

/** An arm in one session, with the tools to search it. */
export interface ToolsInput {
  readonly opened: OpenedArm
  readonly searches: readonly Search[]
}

/** What each tool answers to the words of a subject, in which the value does not stand. */
export async function askTools([topic, about]: Subject, { opened, searches }: ToolsInput): Promise<string[]> {
  const answers: string[] = []
  for (const { tool, arguments: argumentsFor } of searches)
    answers.push(readableText(await opened.callTool(tool, argumentsFor(`${topic} ${about}`))))
  return answers
}
