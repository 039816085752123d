import { safeText } from './safe-text.ts'

/** A text that is written in pieces. */
export interface AnswerStream {
  write(piece: string): void
  /** Ends the last line, if one was begun. */
  end(): void
  /** Whether anything was written. */
  readonly isEmpty: boolean
}

/** The first half of a character that takes two units. */
const FIRST_HALF = /[\ud800-\udbff]$/

/**
 * Writes pieces of a text, never half a character. `isShown`: a person's terminal gets it, which must not obey what a
 * model says; a file or another program gets every character as it is.
 */
export function createAnswerStream(out: (text: string) => void, isShown: boolean): AnswerStream {
  let held = ''
  let last = ''
  return {
    write(piece) {
      const text = held + piece
      held = FIRST_HALF.exec(text)?.[0] ?? ''
      const whole = text.slice(0, text.length - held.length)
      if (whole === '') return
      last = whole
      out(isShown ? safeText(whole) : whole)
    },
    end() {
      if (last === '' || last.endsWith('\n')) return
      out('\n')
      last = '\n'
    },
    get isEmpty() {
      return last === ''
    },
  }
}
