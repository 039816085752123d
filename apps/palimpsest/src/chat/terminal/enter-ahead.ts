/** The end of what was typed; a terminal's answers to what it is asked at the start come in the same piece. */
const LAST_ENTER = /\n(?=$|\p{Cc}\[\?)/u

/**
 * Passes on what a terminal sends. What was typed while the program started has line feeds for Enter: one at its end is made
 * an Enter, so that it is sent; others stay, they may be of a text of several lines.
 */
export function enterAhead(pass: (data: string) => void): (data: string) => void {
  let isFirst = true
  return (data) => {
    pass(isFirst ? data.replace(LAST_ENTER, '\r') : data)
    isFirst = false
  }
}
