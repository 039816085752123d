import { readValue } from './read-value.ts'
import { isHarmless } from './secret-value.ts'

/** Options of a command that take a password, and whether it is in the same argument. */
interface Client {
  readonly names: RegExp
  readonly option: string
  readonly stands: 'attached' | 'apart' | 'either'
}

/** From the manuals of these programs. */
const CLIENTS: readonly Client[] = [
  { names: /\b(?:mysql|mariadb)[\w-]{0,20}[ \t]/, option: '-p', stands: 'attached' },
  { names: /\bsshpass[ \t]/, option: '-p', stands: 'either' },
  {
    names: /\b(?:docker|podman|helm|nerdctl|buildah|skopeo|oras|az|oc)[ \t].{0,200}\blogin[ \t]/,
    option: '-p',
    stands: 'apart',
  },
  { names: /\bmongo(?:sh|dump|restore|export|import)?[ \t]/, option: '-p', stands: 'apart' },
  { names: /\b(?:redis|valkey|keydb)-cli[ \t]/, option: '-a', stands: 'apart' },
  { names: /\b(?:sqlcmd|bcp|unzip|zip)[ \t]/, option: '-P', stands: 'either' },
  { names: /\b7z[ar]?[ \t]/, option: '-p', stands: 'attached' },
  { names: /\bldap(?:search|modify|add|delete|passwd|whoami)[ \t]/, option: '-w', stands: 'either' },
  { names: /\bopenssl[ \t]/, option: '-passin', stands: 'apart' },
  { names: /\bopenssl[ \t]/, option: '-passout', stands: 'apart' },
  { names: /\b(?:smbclient|rpcclient|net)[ \t]/, option: '-U', stands: 'either' },
]
const HINTS = [
  'mysql',
  'mariadb',
  'pass',
  'login',
  'mongo',
  '-cli',
  'sqlcmd',
  'bcp',
  'zip',
  '7z',
  'ldap',
  'openssl',
  'client',
]

const OPTIONS = /[ \t](?<option>-(?:passin|passout|p|a|P|w|U))(?<gap>[ \t]{0,4})(?![ \t-])/g
/** Characters of a command that are looked at before an option. */
const REACH = 300
const SHORTEST = 3

/** Hides the passwords in options of one letter of well-known programs: `mysql -pSECRET`, `sshpass -p SECRET`. Linear. */
export function redactCommandPasswords(text: string, mark: string): string {
  if (!HINTS.some((hint) => text.includes(hint))) return text
  let result = ''
  let done = 0
  for (const match of text.matchAll(OPTIONS)) {
    const { option = '', gap = '' } = match.groups ?? {}
    if (match.index < done) continue
    const before = text.slice(Math.max(0, match.index - REACH), match.index + 1)
    const command = before.slice(
      Math.max(...['\n', '|', ';', '&', '\\n'].map((end) => before.lastIndexOf(end))) + 1,
    )
    const isClient = CLIENTS.some(
      ({ names, option: own, stands }) =>
        own === option && stands !== (gap === '' ? 'apart' : 'attached') && names.test(command),
    )
    const value = isClient ? readValue(text, match.index + match[0].length, 'word') : undefined
    if (value === undefined) continue
    const [, lead = ''] =
      /^(pass:|[^%]{0,64}%)/.exec(
        option.length > 2 || option === '-U' ? text.slice(value.start, value.end) : '',
      ) ?? []
    if (option.length > 2 || option === '-U' ? lead === '' : false) continue
    const start = value.start + lead.length
    const secret = text.slice(start, value.end)
    if (secret.length < SHORTEST || isHarmless(secret)) continue
    result += text.slice(done, start) + mark
    done = value.end
  }
  return done === 0 ? text : result + text.slice(done)
}
