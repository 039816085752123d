import type { CopyDifference, CopyResult } from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { counted } from '../count.ts'
import { firstLines } from './output.ts'
import { printable } from './printable.ts'

/** What a copy has done, as lines for a person. */
export function renderCopy(
  result: CopyResult,
  { from, to }: { readonly from: string; readonly to: string },
): string[] {
  const { copied, upToDate, written, messages, sha256, differences } = result
  const equal = `${counted(copied + upToDate, 'session')} with ${counted(messages, 'message')}`
  const proof = `equal in both stores: ${equal}, sha256 ${sha256}`
  const fault = `${counted(differences.length, 'session')} ${differences.length === 1 ? 'is' : 'are'} not equal; ${proof}`
  return [
    `${from} → ${to}`,
    ...firstLines(differences.map(differenceLine)),
    `${counted(copied, 'session')} copied, ${counted(written, 'new message')}; ${counted(upToDate, 'session')} up to date`,
    differences.length === 0 ? colors.green(proof) : colors.red(fault),
  ]
}

/** With whose session it is: several principals may have sessions of the same name. */
function differenceLine({ code, principal, key, reason }: CopyDifference): string {
  return `${colors.red(code)}  ${printable(key)} (of ${printable(principal)}): ${printable(reason)}`
}
