const START = '\x1b[200~'
const END = '\x1b[201~'

/**
 * Passes on what a terminal sends, a paste in one piece: the library looks through all of a paste again with each of
 * its pieces of 4 KB, which takes half a minute for 10 MB.
 */
export function gatherPaste(pass: (data: string) => void): (data: string) => void {
  let pieces: string[] = []
  /** The end may have begun with it. */
  let tail = ''
  return (data) => {
    const isInside = pieces.length > 0
    if (!isInside && !hasOpenPaste(data)) return pass(data)
    pieces.push(data)
    const isOver = isInside && (tail + data).includes(END)
    tail = (tail + data).slice(1 - END.length)
    if (!isOver) return
    const whole = pieces.join('')
    pieces = []
    tail = ''
    pass(whole)
  }
}

function hasOpenPaste(data: string): boolean {
  const start = data.lastIndexOf(START)
  return start !== -1 && !data.includes(END, start)
}
