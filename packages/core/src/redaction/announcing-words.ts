/** Words for what is secret by itself and is often made up by a person, as parts of a pattern; longer ones first. */
const PASSWORDS = [
  ...['passphrase', 'passcode', 'passw(?:or)?[dt]', 'pass', 'pwd', 'pw', 'psk', 'mnemonic'],
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

/** Words for what a program makes. */
const KEYS = [
  ...['key', 'secret', 'token', 'credential'],
  ...['api schlüssel', 'clé api', 'clave api', 'chave api', 'ключ api', '密钥', '密鑰'],
]

/**
 * The words that announce a secret, as a pattern without regard to case: in assignments, options, subscripts, setters, labels,
 * sentences, argument lists and headings of columns.
 */
export const ANNOUNCING = patternOf([...PASSWORDS, ...KEYS])

const PASSWORD = new RegExp(`^(?:${patternOf(PASSWORDS)})$`, 'i')

/** A name may join the words of another language by another sign, or by none. */
function patternOf(words: readonly string[]): string {
  return words.map((word) => word.replaceAll(' ', '[ _-]?')).join('|')
}

/** Whether a word of the table announces what a person may have made up, of digits or a word alone. */
export function announcesPassword(word: string): boolean {
  return PASSWORD.test(word)
}

/** The names of secret keys. A public key, a cache key or a primary key is none. */
const SECRET_KEY =
  /(?:api|access|secret|private|signing|encryption|account|auth|master|service|shared|jwt|hmac|deploy|license|subscription)[ _-]?$/i

/** Words that are a name only by themselves or as the last part of one: `SMTP_PASS`, `dbPass`, and not `bypass`. */
const SHORT_WORD = /^p(?:ass|w|sk)$/i

export function isShortWord(word: string): boolean {
  return SHORT_WORD.test(word)
}

/** Whether a word of the table announces a secret behind the text before it: a key has to be one that is secret. */
export function isAnnounced(word: string, before: string): boolean {
  if (isShortWord(word)) return /[a-z]$/.test(before) ? /^P/.test(word) : !/[A-Z]$/.test(before)
  return word.toLowerCase() !== 'key' || SECRET_KEY.test(before.slice(-13))
}
