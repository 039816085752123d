/** A text as its reader understands it, with each unit's place in the original. */
export interface TextView {
  readonly text: string
  begin(at: number): number
  end(at: number): number
}

const ESCAPES: readonly RegExp[] = [
  // Addresses: the bytes of one character of UTF-8, or one byte.
  /%[C-Fc-f][\dA-Fa-f](?:%[89ABab][\dA-Fa-f]){1,3}|%[\dA-Fa-f]{2}/,
  // JSON and source text.
  /\\(?:u\{[\dA-Fa-f]{1,6}\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[nrtbf"'`\\/])/,
  // Colours and titles of terminals.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences of terminals begin with one
  /\u001B(?:\[[\d;:?]{0,32}[ -/]{0,4}[@-~]|\][^\u0007\u001B]{0,300}(?:\u0007|\u001B\\)|[@-Z\\-_])/,
  // Soft hyphens, characters of no width, and those that turn the direction.
  /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/,
  // HTML.
  /&(?:amp|quot|apos|lt|gt|#\d{2,5}|#x[\dA-Fa-f]{2,4});/,
]
const ESCAPE = new RegExp(ESCAPES.map(({ source }) => source).join('|'), 'g')
const ESCAPE_HERE = new RegExp(ESCAPE.source, 'y')

/** JSON in JSON in JSON: each level halves the backslashes. */
const LEVELS = 3

const LETTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: ' ', f: ' ' }
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' }

/** The original text and, if it has escapes, its decoded form. */
export function viewsOf(text: string): readonly TextView[] {
  const plain: TextView = { text, begin: (at) => at, end: (at) => at + 1 }
  let view = plain
  for (let level = 0; level < LEVELS; level++) {
    const next = unescaped(view)
    if (next === undefined) break
    view = next
  }
  return view === plain ? [plain] : [plain, view]
}

function unescaped(view: TextView): TextView | undefined {
  const { text } = view
  if (text.search(ESCAPE) === -1) return undefined
  const pieces: string[] = []
  /** The starts of pieces in the new and the old text; all pieces except escapes keep their length. */
  const news: number[] = []
  const olds: number[] = []
  let length = 0
  let done = 0
  const add = (piece: string, old: number) => {
    if (piece === '') return
    pieces.push(piece)
    news.push(length)
    olds.push(old)
    length += piece.length
  }
  for (const { 0: sequence, index } of text.matchAll(ESCAPE)) {
    add(text.slice(done, index), done)
    add(meaning(sequence), index)
    done = index + sequence.length
  }
  add(text.slice(done), done)
  const old = (at: number): number => {
    const piece = pieceAt(news, at)
    return (olds[piece] ?? 0) + at - (news[piece] ?? 0)
  }
  return {
    text: pieces.join(''),
    begin: (at) => view.begin(old(at)),
    end(at) {
      const piece = pieceAt(news, at)
      const isLast = at + 1 === (news[piece] ?? 0) + (pieces[piece]?.length ?? 0)
      const from = old(at)
      ESCAPE_HERE.lastIndex = from
      const length = (isLast && ESCAPE_HERE.exec(text)?.[0].length) || 1
      return view.end(from + length - 1)
    },
  }
}

function pieceAt(begins: readonly number[], at: number): number {
  let [low, high] = [0, begins.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((begins[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}

function meaning(sequence: string): string {
  const [first, second = ''] = sequence
  const code = (digits: string, radix = 16) => {
    const point = Number.parseInt(digits, radix)
    // NUL and lone surrogates are not part of a secret.
    return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
      ? String.fromCodePoint(point)
      : ' '
  }
  if (first === '%') return sequence.length === 3 ? code(sequence.slice(1)) : characterOf(sequence)
  if (first === '&') {
    const name = sequence.slice(1, -1)
    if (!name.startsWith('#')) return ENTITIES[name] ?? ''
    return name[1] === 'x' ? code(name.slice(2)) : code(name.slice(1), 10)
  }
  if (first !== '\\') return ''
  if (second === 'u' || second === 'x') return code(sequence.slice(2).replace(/[{}]/g, ''))
  return LETTERS[second] ?? second
}

function characterOf(bytes: string): string {
  try {
    return decodeURIComponent(bytes)
  } catch {
    return ' '
  }
}
