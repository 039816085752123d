import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { slug } from './slug.ts'

const THING = '[dV]*(?<thing>[xKZTEU]{1,4})'
/** "fixtures live in test/fixtures". */
const LIES = new RegExp(
  `(?:^|(?<=[,a]))[f,a]*${THING}(?:[pP][dV]*[xK]{1,2})?[mMfA]*(?:[iM]*B|[ixBS]{1,3}[ptP]|:)[dA]*(?<path>/)(?=$|[,;.!afoPAni])`,
  'd',
)
/** "src/internal is for private helpers", "use src/lib for shared code". */
const IS_FOR = /^[f,a]*[smMf]*U?(?<path>\/)(?:i[fq]*P?|P)[dV]*(?<thing>[xKZT]{1,4})/d
/** "put migrations under db/migrations". */
const PUT = /^[f,.a]*[smMf]*S[dV]*(?<thing>[xKZT]{1,4})[ptA]{1,2}d*(?<path>\/)(?=$|[,;.!afoPn])/d

/** Where a clause says that things are kept. */
export function readPlaces({ signs, tokens, start, end, isChange }: Clause): Finding[] {
  const match = LIES.exec(signs) ?? PUT.exec(signs) ?? IS_FOR.exec(signs)
  const [from = 0, to = 0] = match?.indices?.groups?.thing ?? []
  const path = tokens[match?.indices?.groups?.path?.[0] ?? -1]
  const old = /^[,]?[on]\/|^\/[,]?[on]\//.test(signs.slice(match?.indices?.groups?.path?.[0] ?? 0))
    ? tokens.filter(({ sign }) => sign === '/')[1]
    : undefined
  const about = slug(
    tokens
      .slice(from, to)
      .map(({ text }) => text)
      .join(' '),
  )
  if (path === undefined || about === '' || /[ky]/.test(signs)) return []
  return [
    {
      kind: 'choice',
      slot: `location:${about}`,
      value: path.text,
      area: '',
      isChange: isChange || old !== undefined,
      start,
      end,
      ...(old !== undefined && { replaces: old.text }),
    },
  ]
}
