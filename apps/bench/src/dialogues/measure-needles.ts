import type { Message } from '@palimpsest/core'
import type { PlantedNeedle } from './plant-needles.ts'
import type { NeedleResult } from './played.ts'
import { holdsItem, promptTexts } from './presence.ts'
import { ask, needleQueries, type SearchInput, searchFor } from './search-for.ts'

/** Asks for planted facts by their keys: a fact is there when its value stands within 240 characters of its key. */
export async function measureNeedles(
  needles: readonly PlantedNeedle[],
  prompt: readonly Message[],
  input: SearchInput,
): Promise<NeedleResult[]> {
  const texts = promptTexts(prompt)
  const results: NeedleResult[] = []
  for (const needle of needles) {
    const fact = { subject: [needle.key, needle.key], value: needle.value } as const
    const isShown = holdsItem(texts, fact)
    const queries = needleQueries(needle.key)
    const first = isShown ? {} : await ask(queries[0], input)
    const isFound = (text: string): boolean => holdsItem([text], fact)
    results.push({ needle, isShown, searches: await searchFor(queries, first, isFound, isShown, input) })
  }
  return results
}
