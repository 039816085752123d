import type { TokenCounter } from '@palimpsest/core'
import type { OpenedArm, Search } from '../arms/arm.ts'
import type { Subject } from './dialogue.ts'
import type { ByTool, Found } from './played.ts'
import { readableText } from './readable-text.ts'

/** Three searches for the same thing, the most promising one first. None of them holds the value. */
export type Queries = readonly [string, string, string]

/** Searches for an item: the words of its subject, what of the topic is meant, and that with the whole title. */
export const itemQueries = (title: string, [topic, about]: Subject): Queries => [
  `${topic} ${about}`,
  about,
  `${title} ${about}`,
]

/** Searches for a planted fact. */
export const needleQueries = (key: string): Queries => [
  `snapshot path ${key}`,
  key,
  `snapshot path of ${key} is`,
]

/** An arm in one session, with the tools to search it. */
export interface SearchInput {
  readonly opened: OpenedArm
  readonly searches: readonly Search[]
  readonly tokens: TokenCounter
}

/** What each tool answers to a search. */
export async function ask(query: string, { opened, searches }: SearchInput): Promise<ByTool<string>> {
  const answers: Record<string, string> = {}
  for (const search of searches)
    answers[search.tool] = readableText(await opened.callTool(search.tool, search.arguments(query)))
  return answers
}

/**
 * Searches with each tool until it is found, up to three times. `first` are the answers to the first search, which was made
 * already. What is in the prompt needs no search.
 */
export async function searchFor(
  [, ...more]: Queries,
  first: ByTool<string>,
  isFound: (text: string) => boolean,
  isShown: boolean,
  input: SearchInput,
): Promise<ByTool<Found>> {
  const found: Record<string, Found> = {}
  for (const search of input.searches) {
    const { tool } = search
    if (isShown) {
      found[tool] = { calls: 0, tokens: 0 }
      continue
    }
    const answers = [first[tool] ?? '']
    for (const query of more) {
      if (answers.some(isFound)) break
      answers.push((await ask(query, { ...input, searches: [search] }))[tool] ?? '')
    }
    found[tool] = {
      calls: answers.some(isFound) ? answers.length : null,
      tokens: answers.reduce((sum, answer) => sum + input.tokens.countText(answer), 0),
    }
  }
  return found
}
