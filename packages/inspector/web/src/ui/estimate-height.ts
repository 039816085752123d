import type { ViewMessage } from '../../../src/view/session-view.ts'
import { foldedLines } from './fold-text.ts'

const HEAD = 54
const LINE = 19
const CALL = 40
/** Of a text, roughly; lines of code are shorter than the window is wide. */
const CHARACTERS_PER_TOKEN = 3

/**
 * The likely height of a folded message's card with the room under it, in pixels: the list corrects it in sight. By its size
 * alone, so that a long list reads none of its texts.
 */
export function estimateHeight({ tokens, calls = [] }: Pick<ViewMessage, 'tokens' | 'calls'>): number {
  const columns = window.innerWidth < 700 ? 40 : 100
  const lines = Math.min(foldedLines, Math.ceil((tokens * CHARACTERS_PER_TOKEN) / columns))
  return HEAD + LINE * lines + CALL * calls.length
}
