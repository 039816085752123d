export interface TapPoint {
  readonly ok: boolean
  readonly description: string
  readonly skip?: string
  readonly diagnostics?: Readonly<Record<string, unknown>>
}

/** Reads a TAP 14 document as strictly as the specification allows, and throws for any line that it does not know. */
export function parseTap(text: string): TapPoint[] {
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new Error('the last line has no end')
  if (lines.shift() !== 'TAP version 14') throw new Error('no version line')
  const [, planned] = /^1\.\.(\d+)$/.exec(lines.shift() ?? '') ?? []
  if (planned === undefined) throw new Error('no plan behind the version')
  const points: TapPoint[] = []
  while (lines.length > 0) {
    const line = lines.shift() ?? ''
    if (line.startsWith('# ')) continue
    const point = parsePoint(line, points.length + 1)
    const diagnostics = parseDiagnostics(lines)
    points.push({ ...point, ...(diagnostics && { diagnostics }) })
  }
  if (points.length !== Number(planned)) throw new Error(`${planned} planned, ${points.length} seen`)
  return points
}

function parsePoint(line: string, expected: number): TapPoint {
  const [, not, number, rest] = /^(not )?ok (\d+) - (.+)$/s.exec(line) ?? []
  if (rest === undefined) throw new Error(`not a line of TAP: ${line}`)
  if (Number(number) !== expected) throw new Error(`test ${number} where ${expected} should be`)
  const [description = '', directive, more] = rest.split(' #')
  if (more !== undefined) throw new Error(`two directives: ${line}`)
  if (directive !== undefined && !directive.startsWith(' SKIP '))
    throw new Error(`unknown directive: ${line}`)
  return {
    ok: not === undefined,
    description: unescaped(description),
    ...(directive !== undefined && { skip: unescaped(directive.slice(' SKIP '.length)) }),
  }
}

function unescaped(text: string): string {
  return text.replace(/\\([\\#])/g, '$1')
}

/** The YAML block behind a point: keys whose values are JSON, which is YAML too. */
function parseDiagnostics(lines: string[]): Record<string, unknown> | undefined {
  if (lines[0] !== '  ---') return undefined
  const end = lines.indexOf('  ...')
  if (end === -1) throw new Error('a YAML block without an end')
  const [, ...block] = lines.splice(0, end + 1).slice(0, -1)
  return Object.fromEntries(
    block.map((line) => {
      const [, key = '', value = ''] = /^ {2}(\w+): (.+)$/s.exec(line) ?? []
      return [key, JSON.parse(value)]
    }),
  )
}
