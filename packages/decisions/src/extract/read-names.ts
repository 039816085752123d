import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import type { Token } from './scan.ts'
import { slug } from './slug.ts'

const ANY = '[I/xTEK]'
/** "rename a to b". */
const RENAME = new RegExp(
  `^[f,.a]*[smMf]*Y[dV]*x{0,2}?(?<old>${ANY})t[d]*(?<next>${ANY})(?=$|[,.!fAxa])`,
  'd',
)
/** "call it b from now on, not a". */
const CALL = /^[f,.]*[smMf]*Y[dV]*[xKy]{0,2}(?<next>I|\/)[fA]*,?[no](?<old>I|\/)/d
/** "a is now b". */
const NOW = new RegExp(`^[f,.a]*[dV]*[xK]{0,2}(?<old>${ANY})[fA]*[Wj](?<next>${ANY})(?=$|[,.!fA])`, 'd')

/** The names that a clause changes. */
export function readNames({ signs, tokens, start, end }: Clause): Finding[] {
  const groups = (RENAME.exec(signs) ?? CALL.exec(signs) ?? NOW.exec(signs))?.indices?.groups
  const [old, next] = [tokenAt(tokens, groups?.old), tokenAt(tokens, groups?.next)]
  if (old === undefined || next === undefined || !isName(old, next)) return []
  const isFact =
    !/[I/]/.test(old.sign + next.sign) &&
    !signs.includes('Y') &&
    !(/W/.test(signs) && /^\p{Lu}/u.test(next.text))
  // "The function is called parse_line" names what has no name yet.
  const before = tokens[tokens.indexOf(old) - 1]?.sign ?? ''
  if (isFact || (!/[I/]/.test(old.sign) && !/[xKtY]/.test(before) && !signs.includes('Y'))) return []
  return [
    {
      kind: 'choice',
      slot: `name:${old.text}`,
      value: next.text,
      area: '',
      replaces: old.text,
      isChange: true,
      start,
      end,
    },
  ]
}

const tokenAt = (tokens: readonly Token[], [at = -1]: readonly number[] = []): Token | undefined => tokens[at]

function isName(old: Token, next: Token): boolean {
  return (
    slug(old.text) !== slug(next.text) &&
    /^[\w$./-]+$/u.test(next.text) &&
    !(old.mention?.sure && next.mention?.sure)
  )
}
