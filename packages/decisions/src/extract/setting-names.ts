import { SETTING_TRANSLATIONS } from './lexicon/setting-translations.ts'

/** Words that name something with a number; the last word of a setting's name is one of them, or the name is an identifier. */
const SETTING_NOUN =
  /(?:^|[\s_-])(?:time-?outs?|retr(?:y|ies)|attempts?|limits?|ports?|sizes?|counts?|intervals?|ttl|delays?|thresholds?|workers?|threads?|concurrency|parallelism|replicas?|instances|pools?|widths?|lengths?|depth|heights?|rates?|budgets?|levels?|quotas?|temperature|durations?|expiry|expiration|lifetimes?|max(?:imum)?(?: age)?|min(?:imum)?|periods?|capacity|batch|windows?|seed|locale|chunks?|buffers?|dropout|memory limit|sample rate|decay|momentum|heights?|weight|mass|speed|retention|debounce|throttle|backoff|factor|ratio|precision|tolerance|coverage|version|age|memory|heap|cpu|shards?|partitions?|connections?|tokens|iterations?|epochs?|dimensions?|radius|opacity|padding|margin|gap|offset|spacing|z-index|fps|volume|price|frequency|cooldown|grace|poll(?:ing)?|heartbeat|keep-?alive|page size|per page|font|log level|log-level|loglevel|resolution|quality|steps?|hops|rounds?|cost|bits|slots|rows|items|columns|maxsize|buffer|backlog|timezone|region|flag|mode|prefix|suffix|breakpoints?|indent(?:ation)?|line length|tab width|cache|hysteresis|zeitüberschreitung|zeitlimit|limite|límite|puerto|porta|tamaño|tamanho|délai|taille|intervalo?|порт\w*|таймаут\w*|лимит\w*|размер\w*|интервал\w*|количество \S+|число \S+|попыт\w+|größe|anzahl \S+|wiederholungen|versuche|intentos|reintentos|tentativas|tentatives)$/iu
const IDENTIFIER =
  /^(?:--?[a-z][\w-]+|[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+|[A-Za-z][a-z0-9]*(?:[_.-][A-Za-z0-9]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)$/

/** The same in scripts without spaces. */
const WIDE_NOUN =
  /(?:超时|重试|次数|端口|大小|间隔|数量|上限|线程数?|并发数?|时间|タイムアウト|リトライ|ポート|サイズ|間隔|回数|上限|期間|타임아웃|포트|크기|간격|횟수|재시도|제한|기간)$/u

/** Whether a phrase ends in a word for something that has a value. */
export function isSettingNoun(name: string): boolean {
  return SETTING_NOUN.test(name) || WIDE_NOUN.test(name)
}

/** Whether a word is written like a name in code. */
export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name) && !/^(?:[a-z]+-[a-z]+)$/.test(name)
}

/** Whether a phrase is the name of a setting. */
export function isSettingName(name: string): boolean {
  return isSettingNoun(name) || isIdentifier(name)
}

/** The slot of a setting that is named in another language than English. */
export function translatedSetting(name: string): string | undefined {
  return SETTING_TRANSLATIONS.find(([words]) => words.test(name.trim()))?.[1]
}

/** The name of a setting as a slot: `max-retries` for "the maximum number of retries" and for `MAX_RETRIES`. */
export function settingSlot(name: string): string {
  const known = /[^\p{ASCII}]/u.test(name) ? translatedSetting(name) : undefined
  if (known !== undefined) return known
  return name
    .normalize('NFKC')
    .replace(/^-+/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[_\s.-]+/g, ' ')
    .replace(
      /\b(?:the|our|a|an|its|each|every|please|default|that|this|of|number|amount|value|setting|option|to|be|with|and|we|want|it|all)\b/g,
      ' ',
    )
    .replace(/\bmaximum\b/g, 'max')
    .replace(/\bminimum\b/g, 'min')
    .replace(/\btime out\b/g, 'timeout')
    .trim()
    .split(/\s+/)
    .slice(-4)
    .join('-')
}
