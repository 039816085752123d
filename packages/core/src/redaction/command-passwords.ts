import { readValue } from './read-value.ts'
import { isHarmless } from './secret-value.ts'

/** An option of one letter, or of one dash, whose value is a password. */
interface PasswordOption {
  readonly programs: RegExp
  /** With the blank before it, and the one behind it where the value is an argument of its own. */
  readonly options: readonly string[]
  /** A word that stands before the option. Default: none. */
  readonly behind?: string
  /** The text before the secret in the value. Default: nothing. */
  readonly lead?: RegExp
}

/** From the manuals of these programs. */
const PASSWORD_OPTIONS: readonly PasswordOption[] = [
  { programs: /^(?:mysql|mariadb|7z)/, options: [' -p'] },
  { programs: /^sshpass/, options: [' -p ', ' -p'] },
  { programs: /^(?:sqlcmd|bcp|zip|unzip)/, options: [' -P ', ' -P'] },
  { programs: /^(?:docker|podman|nerdctl|helm|oc|az)/, options: [' -p '], behind: 'login' },
  { programs: /^mongo/, options: [' -p '] },
  { programs: /-cli$/, options: [' -a '] },
  { programs: /^ldap/, options: [' -w ', ' -w'] },
  { programs: /^openssl/, options: [' -passin ', ' -passout '], lead: /^pass:/ },
  { programs: /^(?:smb|rpc)client/, options: [' -U ', ' -U'], lead: /^[^%\s]{1,64}%/ },
]

const PROGRAM =
  /(?<![\w-])(?:(?:mysql|mariadb)[\w-]{0,20}|7z[ar]?|sshpass|sqlcmd|bcp|zip|unzip|docker|podman|nerdctl|helm|oc|az|mongo(?:sh|dump|restore|export|import)?|(?:redis|valkey|keydb)-cli|ldap(?:search|modify|add|delete|whoami)|openssl|(?:smb|rpc)client)(?= )/g
/** The letters of all options above. */
const OPTION_LETTERS = 'apwPU'
const COMMAND_END = /[\r\n|;&]|\\[nr]/
/** Characters of a command that are looked at. */
const REACH = 300
const SHORTEST = 3

/** Hides the passwords in short options of well-known programs: `mysql -pSECRET`, `sshpass -p SECRET`. Linear. */
export function redactCommandPasswords(text: string, mark: string): string {
  if (!hasOption(text)) return text
  let result = ''
  let done = 0
  for (const { index, 0: program } of text.matchAll(PROGRAM)) {
    if (index < done) continue
    const from = index + program.length
    const rest = text.slice(from, from + REACH)
    const command = rest.slice(0, COMMAND_END.exec(rest)?.index)
    for (const { programs, options, behind = '', lead } of PASSWORD_OPTIONS) {
      const option = programs.test(program) ? options.find((one) => command.includes(one)) : undefined
      if (option === undefined || !command.includes(behind)) continue
      const value = readValue(text, from + command.indexOf(option) + option.length, 'word')
      const led = value === undefined ? null : (lead ?? /^/).exec(text.slice(value.start, value.end))
      if (value === undefined || led === null) continue
      const start = value.start + led[0].length
      const secret = text.slice(start, value.end)
      if (start < done || secret.length < SHORTEST || isHarmless(secret)) continue
      result += text.slice(done, start) + mark
      done = value.end
    }
  }
  return done === 0 ? text : result + text.slice(done)
}

/** Steps from dash to dash: an expression would look at each character. */
function hasOption(text: string): boolean {
  for (let at = text.indexOf('-', 1); at !== -1; at = text.indexOf('-', at + 1))
    if (text[at - 1] === ' ' && OPTION_LETTERS.includes(text[at + 1] ?? ' ')) return true
  return false
}
