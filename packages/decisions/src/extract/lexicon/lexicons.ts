import { CHINESE } from './chinese.ts'
import { ENGLISH } from './english.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { JAPANESE } from './japanese.ts'
import type { Lexicon } from './lexicon.ts'
import { RUSSIAN } from './russian.ts'
import { SPANISH } from './spanish.ts'

/** The languages that are read; the first one where a sentence tells nothing. */
export const LEXICONS: readonly Lexicon[] = [ENGLISH, GERMAN, FRENCH, SPANISH, RUSSIAN, JAPANESE, CHINESE]
