import { type AST, RegExpParser } from '@eslint-community/regexpp'
import type { SearchTerm } from '../store/candidate-query.ts'
import { ANYTHING, alternatives, concatenate, literal, NOTHING, type Required, repeat } from './required.ts'

/** Characters of a class that are tried one by one. A larger class could be anything. */
const MAX_CLASS_SIZE = 4

/**
 * Texts that everything a pattern matches contains: an AND of ORs of substrings, upper and lower case alike. Empty
 * when nothing is known, so that every text has to be looked at. It may let through what does not match; it never
 * excludes what does.
 */
export function requiredLiterals(pattern: RegExp): readonly (readonly SearchTerm[])[] {
  try {
    const parsed = new RegExpParser().parsePattern(pattern.source, 0, pattern.source.length, {
      unicode: pattern.unicode,
    })
    const { clauses } = concatenate([readAlternatives(parsed.alternatives), ANYTHING])
    return clauses.map((texts) => texts.map((text) => ({ kind: 'substring', text })))
  } catch {
    // Syntax that the parser does not know, or nested too deeply for it: look at every text.
    return []
  }
}

function readAlternatives(list: readonly AST.Alternative[]): Required {
  return alternatives(list.map(({ elements }) => concatenate(elements.map(readElement))))
}

function readElement(element: AST.Element): Required {
  switch (element.type) {
    case 'Character':
      return readCharacter(element.value)
    case 'CharacterClass':
      return readClass(element)
    case 'Group':
    case 'CapturingGroup':
      return readAlternatives(element.alternatives)
    case 'Quantifier':
      return repeat(readElement(element.element), element.min, element.max)
    case 'Assertion':
      // Takes no characters, so its neighbours stand side by side.
      return NOTHING
    default:
      return ANYTHING
  }
}

function readClass({ negate, elements }: AST.CharacterClass): Required {
  if (negate || elements.length === 0 || elements.length > MAX_CLASS_SIZE) return ANYTHING
  const characters = elements.map((item) =>
    item.type === 'Character' ? readCharacter(item.value) : ANYTHING,
  )
  return alternatives(characters)
}

/**
 * Only characters whose cases are the same pair for everybody: ASCII, and what has no case. Stores and languages
 * fold the rest in their own ways. Halves of characters and NUL are not in any index.
 */
function readCharacter(code: number): Required {
  if (code === 0 || code === 0xfffd || (code >= 0xd800 && code <= 0xdfff)) return ANYTHING
  const text = String.fromCodePoint(code)
  const plain = code < 0x80 || (text.toLowerCase() === text && text.toUpperCase() === text)
  return plain ? literal(text.toLowerCase()) : ANYTHING
}
