/** Words for secrets that people often make up, as parts of a pattern; longer ones come first. */
const PASSWORDS = [
  ...['passphrase', 'passcode', 'password', 'passwort', 'passwd', 'pass', 'pwd', 'pw', 'psk', 'mnemonic'],
  ...[
    'kennwort',
    'mot de passe',
    'contraseña',
    'senha',
    'palavra-passe',
    'parola',
    'hasło',
    'heslo',
    'jelszó',
  ],
  ...['salasana', 'lösenord', 'adgangskode', 'passord', 'wachtwoord', 'şifre', 'пароль'],
  ...[
    '密码',
    '密碼',
    '口令',
    'パスワード',
    '暗証番号',
    '비밀번호',
    'รหัสผ่าน',
    'mật khẩu',
    'كلمة المرور',
    'סיסמה',
  ],
]

/** Words for secrets that programs generate. */
const KEYS = [
  ...['key', 'secret', 'token', 'credential'],
  ...['api schlüssel', 'clé api', 'clave api', 'chave api', 'ключ api', '密钥', '密鑰'],
]

/**
 * Words that announce a secret, as a pattern that ignores case: in assignments, options, subscripts, setters, labels,
 * sentences, argument lists and column headings.
 */
export const ANNOUNCING = patternOf([...PASSWORDS, ...KEYS])

const WORD = new RegExp(ANNOUNCING, 'gi')

/** The places of the words of the table in a text; they may overlap. */
export function announcedPlaces(text: string): readonly number[] {
  const places: number[] = []
  WORD.lastIndex = 0
  for (let word = WORD.exec(text); word !== null; word = WORD.exec(text)) {
    places.push(word.index)
    WORD.lastIndex = word.index + 1
  }
  return places
}

const PASSWORD = new RegExp(`^(?:${patternOf(PASSWORDS)})$`, 'i')

/** Names in other languages may join words by another sign, or by none. */
function patternOf(words: readonly string[]): string {
  return words.map((word) => word.replaceAll(' ', '[ _-]?')).join('|')
}

/** True for a word that announces a secret made up by a person, such as digits or a single word. */
export function announcesPassword(word: string): boolean {
  return PASSWORD.test(word)
}

/** Names of secret keys. Public keys, cache keys and primary keys are not secret. */
const SECRET_KEY =
  /(?:api|access|secret|private|signing|encryption|account|auth|master|service|shared|jwt|hmac|deploy|license|subscription)[ _-]?$/i

/** Words that count only alone or as the last part of a name: `SMTP_PASS`, `dbPass`, and not `bypass`. */
const SHORT_WORD = /^p(?:ass|w|sk)$/i

export function isShortWord(word: string): boolean {
  return SHORT_WORD.test(word)
}

/** True if a word announces a secret after the text before it: a key must be a secret one. */
export function isAnnounced(word: string, before: string): boolean {
  if (isShortWord(word)) return /[a-z]$/.test(before) ? /^P/.test(word) : !/[A-Z]$/.test(before)
  return word.toLowerCase() !== 'key' || SECRET_KEY.test(before.slice(-13))
}
