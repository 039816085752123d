// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shapes of secrets, with a dollar sign before a part
/**
 * Secrets that were never valid, made from a seed. The shapes of tokens are those that the rules of gitleaks and
 * secretlint name for their providers; beginnings are put together at run time, so that no scanner takes this file
 * for a leak.
 */
export interface PlantedSecret {
  readonly kind: string
  readonly secret: string
  /** The secret with what stands around it. */
  readonly text: string
}

type Random = () => number

const DIGITS = '0123456789'
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const LETTERS = LOWER + LOWER.toUpperCase()
/** Characters by the letter that stands for them in a shape. */
const ALPHABETS: Readonly<Record<string, string>> = {
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  l: LOWER + DIGITS,
  u: LOWER.toUpperCase() + DIGITS,
  n: LETTERS + DIGITS,
  w: `${LETTERS}${DIGITS}-_`,
  b: `${LETTERS}${DIGITS}+/`,
  p: `${LETTERS}${DIGITS}!@%^*_-+`,
  v: 'aeiou',
  c: 'bdfgklmnprstvz',
}

/** `{n*36}` is 36 letters and digits, `{word}` a word that is in no dictionary; `|` only parts what scanners look for. */
function fill(shape: string, random: Random): string {
  const pick = (characters: string) => characters[Math.floor(random() * characters.length)] ?? ''
  return shape.replaceAll('|', '').replaceAll(/\{(word|[a-z])(?:\*(\d+))?\}/g, (_, name: string, count) => {
    if (name === 'word') return fill('{c}{v}{c}{v}{c}{v}{c}', random)
    let text = ''
    for (let left = Number(count ?? 1); left > 0; left--) text += pick(ALPHABETS[name] ?? '')
    // Letters alone could be a name.
    return text.length < 6 || /\d/.test(text) ? text : `${text.slice(0, -1)}7`
  })
}

/** Tokens that are known by their shape, wherever they stand. */
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  aws: ['AK|IA{u*16}', 'AS|IA{u*16}'],
  github: ['gh|p_{n*36}', 'gh|s_{n*36}', 'github|_pat_{n*22}_{n*59}'],
  gitlab: ['gl|pat-{w*20}', 'gl|rt-{w*20}'],
  slack: ['xo|xb-{d*12}-{d*13}-{n*24}', 'xa|pp-1-{u*11}-{d*13}-{h*64}'],
  'chat services': ['M{n*23}.{w*6}.{w*38}', '{d*10}:A|A{w*33}'],
  'webhook addresses': [
    'https://hooks.slack|.com/services/T{u*8}/B{u*10}/{n*24}',
    'https://discord|.com/api/webhooks/{d*18}/{w*68}',
  ],
  stripe: ['sk|_live_{n*24}', 'rk|_live_{n*60}', 'whs|ec_{n*32}'],
  payments: ['sq0|csp-{w*43}', 'EAA|A{w*60}', 'access|_token$production${l*16}${h*32}'],
  openai: ['sk|-proj-{w*48}T3Blb|kFJ{w*48}', 'sk|-{n*48}', 'sk|-svcacct-{w*60}'],
  anthropic: ['sk|-ant-api03-{w*93}AA'],
  google: ['AI|za{w*35}', 'ya29|.{w*60}', 'GOC|SPX-{w*28}', '1|//0{w*60}'],
  azure: ['{n*3}8Q~{n*34}'],
  hosting: ['do|p_v1_{h*64}', 'HRK|U-AA{w*58}', 'v1.0|-{h*24}-{h*146}', 'nf|p_{n*36}', 'FlyV|1 fm2_{b*96}'],
  databases: ['sb|p_{h*40}', 'pscale|_tkn_{w*43}', 'da|pi{h*32}'],
  infrastructure: [
    'hv|s.{w*90}',
    '{n*14}.atlas|v1.{w*64}',
    'dp|.pt.{n*43}',
    'pu|l-{h*40}',
    'dckr|_pat_{w*27}',
  ],
  registries: ['np|m_{n*36}', 'py|pi-AgEIcHlwaS5vcmc{w*60}', 'rubygems|_{h*48}', 'oy|2{l*43}', 'AKC|p{n*69}'],
  mail: ['S|G.{w*22}.{w*43}', 'key|-{l*32}', '{h*32}|-us12', 'xkeys|ib-{h*64}-{n*16}', 're|_{n*8}_{n*24}'],
  telephony: ['S|K{h*32}'],
  trackers: ['ATA|TT3{w*186}', 'lin|_api_{n*40}', 'nt|n_{d*11}{n*35}', 'pa|t{n*14}.{h*64}', 'fig|d_{w*40}'],
  monitoring: ['gls|a_{n*32}_{h*8}', 'NR|AK-{u*27}', 'sntr|yu_{h*64}', 'PM|AK-{h*24}-{h*34}'],
  'model services': [
    'h|f_{n*34}',
    'r8|_{n*37}',
    'gs|k_{n*52}',
    'xa|i-{n*80}',
    'pp|lx-{n*48}',
    'tv|ly-{n*32}',
  ],
  shops: ['sh|pat_{h*32}'],
  vaults: ['ops|_eyJ{b*300}', 'AGE-SECRET|-KEY-1{u*58}', 'A3|-{u*6}-{u*11}-{u*5}-{u*5}-{u*5}'],
  jwt: ['ey|J{w*34}.ey|J{w*120}.{w*43}'],
  'hashed passwords': [
    '$2b$12${n*53}',
    '$6${n*16}${n*86}',
    '$argon2id$v=19$m=65536,t=3,p=4${n*22}${n*43}',
    '$apr1${n*8}${n*22}',
  ],
}

/** Secrets that what stands around them announces: the shape of the secret, then the texts, with `§` for it. */
const ANNOUNCED: Readonly<Record<string, readonly [shapes: readonly string[], texts: readonly string[]]>> = {
  'database addresses': [
    ['{n*14}', '{word}-{word}', '{n*6}'],
    [
      'postgres://app:§@db.internal:5432/shop',
      'mongodb+srv://root:§@cluster0.abcde.test/?retryWrites=true',
      'jdbc:mysql://db/shop?user=app&password=§',
      'Server=db;User Id=sa;Password=§;Encrypt=true',
      'redis://:§@127.0.0.1:6379/0',
    ],
  ],
  'basic authentication': [
    ['{n*24}', '{word}{d*4}'],
    [
      'curl -u admin:§ https://example.test/x',
      'https://deploy:§@git.example.test/team/app.git',
      'curl --user ci:§ -X POST https://example.test',
      'wget --http-user=ci --http-password=§ https://example.test/x',
    ],
  ],
  'basic headers': [
    ['{n*30}=='],
    ['Authorization: Basic §', '"Authorization": "Basic §"', "-H 'Proxy-Authorization: Basic §'"],
  ],
  bearer: [
    ['{w*40}', '{h*64}'],
    ['Authorization: Bearer §', 'sent with bearer § as before', '{"authorization": "Bearer §"}'],
  ],
  'key headers': [
    ['{n*32}'],
    ['x-api-key: §', "-H 'X-Auth-Token: §'", '"x-goog-api-key": "§"', 'PRIVATE-TOKEN: §'],
  ],
  cookies: [
    ['{w*40}', 's%3A{w*32}.{b*43}'],
    [
      'Set-Cookie: session=§; Path=/; HttpOnly',
      'Cookie: theme=dark; sid=§',
      'connect.sid=§',
      "curl -b 'sessionid=§' https://example.test",
      'document.cookie = "auth=§"',
      'PHPSESSID=§',
    ],
  ],
  'environment files': [
    ['{word}{d*3}', '{p*16}', '{word} {word} {word} {word}'],
    [
      'ADMIN_PASS=§',
      'SMTP_PASS=§\nSMTP_PORT=587',
      'export DB_PASSWORD=§',
      'A=1\nREDIS_PASSWORD=§\nB=2',
      'LDAP_BIND_PW=§',
    ],
  ],
  'quoted in environments': [
    ['{word} {word} {word}', "{n*8}'{n*6}"],
    ['SMTP_PASSWORD="§"', 'export GPG_PASSPHRASE="§"', 'APP_SECRET="§"'],
  ],
  'secret keys of clouds': [
    ['{b*40}'],
    [
      'AWS_SECRET_ACCESS_KEY=§',
      'aws_secret_access_key = §',
      '"SecretAccessKey": "§"',
      'DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=§==;EndpointSuffix=core.test',
      `AK${'IA'}QWERTYUIOPASDFGH / §`,
    ],
  ],
  yaml: [
    ['{n*12}', '{word}-{d*2}-{word}'],
    [
      'db:\n  user: app\n  pass: §',
      'password: §',
      "smtp:\n  passwd: '§'",
      '- name: API_TOKEN\n  value: §',
      'clientSecret: "§"',
    ],
  ],
  json: [
    ['{word}{d*2}', '{p*20}', '{word} {word} {word} {word}'],
    [
      '{"user": "app", "pass": "§"}',
      '{"auth":{"password":"§"}}',
      '{"refresh_token": "§"}',
      '{"name": "DB_PASSWORD", "value": "§"}',
      '{"Key":"client_secret","Value":"§"}',
    ],
  ],
  xml: [
    ['{n*14}'],
    ['<password>§</password>', '<add key="ApiSecret" value="§" />', '<server><apiKey>§</apiKey></server>'],
  ],
  'TOML and INI': [
    ['{n*18}'],
    ['password = "§"', '[smtp]\npassword = §', "api_token = '§'", '//registry.example.test/:_authToken=§'],
  ],
  'source text': [
    ['{n*24}', '{h*40}'],
    [
      "const apiKey = '§'",
      'private static final String SECRET = "§";',
      "'private_key' => '§',",
      'token := "§"',
      'db.connect(password="§")',
    ],
  ],
  'command lines': [
    ['{word}{d*3}', '{n*16}'],
    [
      'mysql -u root -p§ shop',
      'mysqldump -h db -uapp -p§ shop > dump.sql',
      'sshpass -p § ssh deploy@web1',
      "sshpass -p '§' scp a b:",
      'redis-cli -h cache -a § ping',
      'docker login -u ci -p § registry.example.test',
      'deploy --api-key § --region eu',
      'tool login --password=§',
      'PGPASSWORD=§ psql -h db -U app',
      'mongosh --host db -u root -p §',
      'openssl rsa -in k.pem -passin pass:§',
      'sqlcmd -S db -U sa -P §',
      'smbclient //nas/share -U ann%§',
    ],
  ],
  'quoted on command lines': [
    ['{word} {word} {word} {word}'],
    ['login --password="§"', "vault unlock --passphrase '§'", 'tool --secret "§"'],
  ],
  'queries of addresses': [
    ['{n*32}', '{w*43}'],
    [
      'https://api.example.test/v1/x?page=2&access_token=§&y=1',
      'https://bucket.example.test/file?X-Amz-Signature=§',
      'https://maps.example.test/js?key=§',
      'https://blob.example.test/c?sv=2024&sig=§',
      'GET /callback?code=§&state=1 HTTP/1.1',
      'otpauth://totp/ann?secret=§&issuer=x',
    ],
  ],
  prose: [
    ['{word}{d*3}!', '{n*16}'],
    [
      'the password is § for now',
      'Our staging password: §',
      'my API key is §, keep it',
      'use the token § for that',
      'log in with ann / password §',
      '密码是 §',
      'Das Passwort ist §',
    ],
  ],
  'files of credentials': [
    ['{word}{d*3}', '{n*20}'],
    [
      'machine git.example.test login ann password §',
      'default login ann password §',
      '[default]\naws_session_token=§',
    ],
  ],
  subscripts: [
    ['{n*20}', '{p*16}'],
    [
      'os.environ["DB_PASSWORD"] = "§"',
      "process.env['API_TOKEN'] = '§'",
      'config["secret_key"] = "§"',
      'app.config["JWT_SECRET"] = "§"',
      "$settings['db']['password'] = '§';",
    ],
  ],
  setters: [
    ['{n*18}', '{word}-{d*4}'],
    [
      'config.set("db.password", "§")',
      'props.setProperty("api.token", "§");',
      'client.setPassword("§");',
      'localStorage.setItem("auth_token", "§")',
      'os.environ.setdefault("API_KEY", "§")',
    ],
  ],
  'labels of Markdown': [
    ['{n*16}', '{word}{d*3}'],
    [
      '**Password:** §',
      '- **API key**: §',
      '- Token: `§`',
      '| Password | § |\n|---|---|',
      '__Secret key:__ §',
    ],
  ],
  'lists of arguments': [
    ['{n*16}', '{word}_{d*4}'],
    ["['deploy', '--password', '§']", '"args": ["--token", "§"]', 'spawn("tool", ["--api-key=§"])'],
  ],
  columns: [
    ['{n*14}', '{word}{d*3}'],
    [
      'user,password,role\nann,§,admin',
      'id;name;password\n7;ann;§',
      '| user | password |\n| --- | --- |\n| ann | § |',
      'host\tuser\tpassword\ndb\tapp\t§',
    ],
  ],
  'other languages': [
    ['{word}{d*3}!', '{n*14}'],
    [
      'Mi contraseña es §',
      'Le mot de passe est §',
      'A senha é §',
      'Пароль: §',
      'パスワードは §',
      'Het wachtwoord is §',
      'hasło: §',
      'Kennwort: §',
      'La password è §',
      '비밀번호: §',
    ],
  ],
  'statements of SQL': [
    ['{n*14}', '{p*14}'],
    [
      "CREATE USER app WITH PASSWORD '§';",
      "ALTER ROLE app PASSWORD '§';",
      "CREATE USER 'app'@'%' IDENTIFIED BY '§';",
      "SET PASSWORD FOR app = '§';",
    ],
  ],
  containers: [
    ['{n*20}', '{word}{d*4}'],
    [
      'docker run -e API_TOKEN=§ app:1',
      'ENV DB_PASSWORD=§',
      'ENV DB_PASSWORD §',
      'ARG NPM_TOKEN=§',
      'stringData:\n  password: §',
      'environment:\n  - MYSQL_ROOT_PASSWORD=§',
      'kubectl create secret generic db --from-literal=password=§',
    ],
  ],
  'shells of Windows': [
    ['{n*18}', '{word}-{d*4}'],
    [
      '$env:API_TOKEN = "§"',
      'set DB_PASSWORD=§',
      'setx API_KEY "§"',
      'ConvertTo-SecureString "§" -AsPlainText -Force',
      "$password = '§'",
    ],
  ],
  properties: [
    ['{n*16}', '{word}{d*3}'],
    ['spring.datasource.password=§', 'mail.smtp.password = §', 'security.oauth2.client-secret: §'],
  ],
  'bodies of forms': [
    ['{n*24}', '{word}{d*4}'],
    [
      'grant_type=password&username=ann&password=§&scope=x',
      'client_id=shop&client_secret=§',
      "curl -d 'user=ann&password=§' https://example.test/login",
      'refresh_token=§&grant_type=refresh_token',
    ],
  ],
  'infrastructure as code': [
    ['{n*18}', '{p*16}'],
    [
      'resource "db" "x" {\n  master_password = "§"\n}',
      'ansible_become_pass: §',
      'ansible_ssh_pass=§',
      'adminPassword: "§"',
    ],
  ],
  'lines of logs': [
    ['{n*24}', '{h*32}'],
    [
      'level=info msg=login token=§ user=ann',
      'DEBUG auth: using api_key=§',
      "{'password': '§', 'user': 'ann'}",
    ],
  ],
  'networks without wires': [
    ['{word}{d*4}', '{n*12}'],
    ['network={\n  psk="§"\n}', 'wpa_passphrase=§', 'WIFI:T:WPA;S:home;P:§;;'],
  ],
  'seed phrases': [
    ['{word} {word} {word} {word} {word} {word} {word} {word} {word} {word} {word} {word}'],
    ['mnemonic: "§"', 'MNEMONIC="§"', 'seed phrase: §', 'recovery phrase: §'],
  ],
}

const BASE64_LINES = (random: Random, lines: number) =>
  Array.from({ length: lines }, () => fill('{b*64}', random)).join('\n')

/** Secrets of several lines; what must not be seen is in their middle. */
const KEYS: Readonly<Record<string, (body: string) => string>> = {
  'private keys': (body) =>
    `-----BEGIN RSA PRIV${'ATE KEY-----'}\n${body}\n-----END RSA PRIV${'ATE KEY-----'}`,
  'keys of OpenSSH': (body) =>
    `-----BEGIN OPENSSH PRIV${'ATE KEY-----'}\n${body}\n-----END OPENSSH PRIV${'ATE KEY-----'}`,
  'keys of PGP': (body) =>
    `-----BEGIN PGP PRIV${'ATE KEY BLOCK-----'}\n\n${body}\n=aB3d\n-----END PGP PRIV${'ATE KEY BLOCK-----'}`,
  'keys without a beginning': (body) => `…\n${body}\n-----END PRIV${'ATE KEY-----'}`,
  'keys without an end': (body) => `-----BEGIN EC PRIV${'ATE KEY-----'}\n${body}`,
  'bodies of keys': (body) => body,
}

/** Base64 over a secret that would have been seen. */
const WRAPPED: readonly string[] = [
  'sk|-ant-api03-{w*93}AA',
  'gh|p_{n*36}',
  'DB_PASSWORD={word}{d*4}\n',
  '{"password":"{word}{d*3}"}',
  'postgres://app:{n*14}@db.internal/shop',
]

const makers: ReadonlyMap<string, (random: Random, turn: number) => Omit<PlantedSecret, 'kind'>> = new Map([
  ...Object.entries(TOKENS).map(
    ([kind, shapes]) =>
      [
        kind,
        (random: Random, turn: number) => {
          const secret = fill(shapes[turn % shapes.length] ?? '', random)
          return { secret, text: secret }
        },
      ] as const,
  ),
  ...Object.entries(ANNOUNCED).map(
    ([kind, [shapes, texts]]) =>
      [
        kind,
        (random: Random, turn: number) => {
          // Each text meets each shape in time.
          const shape = shapes[(turn + Math.floor(turn / texts.length)) % shapes.length] ?? ''
          const secret = fill(shape, random)
          return { secret, text: (texts[turn % texts.length] ?? '').replace('§', () => secret) }
        },
      ] as const,
  ),
  ...Object.entries(KEYS).map(
    ([kind, around]) =>
      [
        kind,
        (random: Random, turn: number) => {
          const body = BASE64_LINES(random, 4 + (turn % 9))
          return { secret: body, text: around(body) }
        },
      ] as const,
  ),
  [
    'wrapped in base64',
    (random, turn) => {
      const text = fill(WRAPPED[turn % WRAPPED.length] ?? '', random)
      const secret = btoa(text)
      return { secret, text: turn % 2 === 0 ? `echo ${secret} | base64 -d` : `data: ${secret}` }
    },
  ],
])

export const SECRET_KINDS: readonly string[] = [...makers.keys()]

/** Secrets of all kinds in turn: the same for the same seed, none twice. */
export function plantedSecrets(count: number, seed: number): readonly PlantedSecret[] {
  const random = mulberry32(seed)
  return Array.from({ length: count }, (_, index) => {
    const kind = SECRET_KINDS[index % SECRET_KINDS.length] ?? ''
    const make = makers.get(kind)
    if (make === undefined) throw new Error(`there is no kind ${kind}`)
    return { kind, ...make(random, Math.floor(index / SECRET_KINDS.length)) }
  })
}

/** The parts of a secret of which none may be seen: its lines and words, and of a long one its middle and its end. */
export function tellingParts(secret: string): readonly string[] {
  const words = secret.split(/\s+/).filter((word) => word.length >= 5)
  return words.flatMap((word) => {
    if (word.length < 24) return [word]
    const middle = Math.floor(word.length / 2)
    return [word.slice(middle - 6, middle + 6), word.slice(-12)]
  })
}

const escaped = (text: string): string =>
  text.replace(/[^A-Za-z0-9]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
}

/** Where secrets are planted: the text of a message, or the arguments of a call as JSON. */
export const CARRIERS: Readonly<Record<string, (text: string) => string>> = {
  'a text': (text) => `Look at this, it fails since yesterday:\n${text}\nand it did work before.`,
  'a line of a log': (text) =>
    `2026-03-02T10:11:12Z INFO [worker-3] request done in 12 ms\n${text}\nexit code 1`,
  'an argument': (text) => JSON.stringify({ command: text, timeout: 10 }),
  'a nested argument': (text) => JSON.stringify({ files: [{ path: 'a/b.txt', edits: [{ to: text }] }] }),
  'JSON in an argument': (text) => JSON.stringify({ body: JSON.stringify({ content: text, n: 1 }) }),
  'JSON in JSON in an argument': (text) =>
    JSON.stringify({ body: JSON.stringify({ inner: JSON.stringify({ content: text }) }) }),
  'an address': (text) => `https://example.test/log?x=1&text=%0A${encodeURIComponent(text)}%0A`,
  'escapes of Unicode': (text) => `{"text":"\\u000a${escaped(text)}\\u000a"}`,
  'escapes of source text': (text) =>
    `x = "\\x0a${text.replace(/["'=:]/g, (character) => `\\x${character.charCodeAt(0).toString(16)}`).replaceAll('\n', '\\n')}\\x0a"`,
  'colours of a terminal': (text) =>
    `\u001B[1m>\u001B[0m \u001B[31m\n${text.replaceAll('\n', '\u001B[0m\n\u001B[31m')}\u001B[0m\n`,
  HTML: (text) => `<pre>\n${text.replace(/[&"'<>]/g, (character) => ENTITIES[character] ?? '')}\n</pre>`,
  'characters that are not seen': (text) => text.replace(/[A-Za-z0-9]{5}/g, (run) => `${run}\u200B`),
}

/** A text as a reader would understand it: what is escaped in it is what it means, and what is not seen is not there. */
export function meant(text: string): string {
  const code = (digits: string) => String.fromCharCode(Number.parseInt(digits, 16))
  const names = Object.fromEntries(Object.entries(ENTITIES).map(([sign, name]) => [name, sign]))
  let read = text
  for (let level = 0; level < 3; level++)
    read = read
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one
      .replace(/\u200B|\u001B\[\d{0,3}m/g, '')
      .replace(/%([2-7][\dA-Fa-f])|\\u00([2-7][\dA-Fa-f])|\\x([2-7][\dA-Fa-f])/g, (_, a, b, c) =>
        code(a ?? b ?? c),
      )
      .replace(/\\(["'\\/])/g, '$1')
      .replace(/&(?:amp|quot|lt|gt|#39);/g, (entity) => names[entity] ?? entity)
  return read
}

/** The generator mulberry32. */
function mulberry32(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
