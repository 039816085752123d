import type { Finding } from './finding.ts'
import type { Label } from './labelled-set.ts'
import type { PartReport } from './run-decisions.ts'
import type { Failure } from './score-set.ts'

export function renderFailures(parts: readonly PartReport[]): string {
  return parts
    .flatMap(({ part, scores: [strict] }) => [`${part}:`, ...(strict?.failures ?? []).map(renderFailure)])
    .join('\n')
    .concat('\n')
}

function renderFailure({ id, message, role, text, score }: Failure): string {
  return [
    `\n${id} [${message}] ${role}: ${text}`,
    ...score.misses.map((label) => `  missed  ${describeLabel(label)}`),
    ...score.alarms.map((finding) => `  wrong   ${describeFinding(finding)}`),
  ].join('\n')
}

function describeLabel({ kinds, slot, value, replaces, area }: Label): string {
  return describe(kinds.join('/'), slot, value, replaces, area)
}

function describeFinding({ kind, slot, value, replaces, area, quote }: Finding): string {
  return `${describe(kind, slot, value, replaces, area === '' ? undefined : area)}  «${quote}»`
}

function describe(kind: string, slot: string, value: string, replaces?: string, area?: string): string {
  return [
    kind,
    `${slot}:`,
    value === '' ? '(all)' : value,
    ...(replaces === undefined ? [] : [`instead of ${replaces}`]),
    ...(area === undefined ? [] : [`in ${area}`]),
  ].join(' ')
}
