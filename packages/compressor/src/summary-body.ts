/** The parts of a summary message. Derived blocks are kept apart, so that they are never summarised again. */
export interface SummaryBody {
  /** The sections that a model or the extractor wrote. */
  readonly prose: string
  /** The user's own words, oldest first. */
  readonly userMessages: readonly string[]
  /** The block of identifiers, with its heading. */
  readonly identifiers: string
}

const USER_HEADING = '## User Messages (verbatim)'
const IDENTIFIERS_HEADING = '## Identifiers'
const QUOTE = '> '

/** One text from the parts. */
export function formatSummaryBody({ prose, userMessages, identifiers }: SummaryBody): string {
  const quoted = userMessages.map(quote)
  const users = quoted.length === 0 ? '' : `${USER_HEADING}\n${quoted.join('\n\n')}`
  return [demote(prose).trim(), users, identifiers.trim()].filter((part) => part !== '').join('\n\n')
}

/** Only we write the derived blocks: a summariser that writes one of their headings does not speak for the user. */
function demote(prose: string): string {
  return prose.replace(/^## (?=(?:User Messages \(verbatim\)|Identifiers)$)/gm, '### ')
}

/** The parts of a text; whatever is not one of our blocks is prose. */
export function parseSummaryBody(text: string): SummaryBody {
  const lines = text.split('\n')
  const parts = { prose: [] as string[], users: [] as string[], identifiers: [] as string[] }
  let part: keyof typeof parts = 'prose'
  for (const line of lines) {
    if (line === USER_HEADING) part = 'users'
    else if (line === IDENTIFIERS_HEADING) part = 'identifiers'
    else if (part !== 'prose' && line.startsWith('## ')) part = 'prose'
    if (line !== USER_HEADING) parts[part].push(line)
  }
  return {
    prose: parts.prose.join('\n').trim(),
    userMessages: unquote(parts.users.join('\n')),
    identifiers: parts.identifiers.join('\n').trim(),
  }
}

/** Quoted line by line, so that no line of a user is taken for a heading. */
function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => QUOTE + line)
    .join('\n')
}

function unquote(block: string): string[] {
  return block
    .trim()
    .split('\n\n')
    .filter((text) => text.startsWith(QUOTE))
    .map((text) =>
      text
        .split('\n')
        .map((line) => (line.startsWith(QUOTE) ? line.slice(QUOTE.length) : line))
        .join('\n'),
    )
}
