import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { settingSlot, translatedSetting } from './setting-names.ts'

const VALUE = String.raw`(?<value>\d[\d.,_]*(?:\s?(?:ms|s|sekunden|minuten|stunden|tage|secondes?|minutes?|heures?|jours?|segundos?|minutos?|horas?|d[ií]as?|dias?|секунд\p{L}*|минут\p{L}*|час\p{L}*|дн\p{L}+|[kmgt]i?b|%)(?!\p{L})|\s?(?:秒|分钟|分|小时|天|時間|日|초|분|시간|일|次|回|번|회|个|個|毫秒|밀리초))?|true|false|on|off|debug|info|warn|error)`
const NAME = String.raw`(?<name>[\p{L}_][\p{L}\p{N}_.-]*(?: (?!(?:auf|à|a|en|para|em|como|на|в|до|von|da|с|beträgt|ist|soll|es|é|est)(?!\p{L}))[\p{L}\p{N}_.-]+){0,4})`
const ARTICLE = String.raw`(?:(?:die|den|das|der|unser\p{L}*|le|la|les|l'|el|los|las|o|os|as|un|una|um|uma|eine?n?)\s*)?`

const PATTERNS: readonly { readonly pattern: RegExp; readonly isChange: boolean }[] = [
  {
    pattern: new RegExp(
      String.raw`(?<!\p{L})(?:setz(?:e|en wir|t)?|stell(?:e|en wir|t)?)\s+${ARTICLE}${NAME}\s+(?:von (?<old>\S+) )?(?:auf|=)\s+${VALUE}`,
      'giu',
    ),
    isChange: false,
  },
  {
    pattern: new RegExp(
      String.raw`(?<!\p{L})(?:erhöhe?n?|senke?n?|reduziere?n?|ändere?|verringere?|vergrößere)(?: wir)?\s+${ARTICLE}${NAME}\s+(?:von (?<old>\S+) )?auf\s+${VALUE}`,
      'giu',
    ),
    isChange: true,
  },
  {
    pattern: new RegExp(
      String.raw`(?<!\p{L})(?:mets|mettez|mettons|fixe|fixez|fixons|règle|réglez|configure)\s+${ARTICLE}${NAME}\s+(?:à|sur)\s+${VALUE}`,
      'giu',
    ),
    isChange: false,
  },
  {
    pattern: new RegExp(
      String.raw`(?<!\p{L})(?:passe|passez|passons|augmente[zr]?|augmentons|réduis|réduisons|baisse|monte)\s+${ARTICLE}${NAME}\s+(?:de (?<old>\S+) )?à\s+${VALUE}`,
      'giu',
    ),
    isChange: true,
  },
  {
    pattern: new RegExp(
      String.raw`(?<!\p{L})(?:pon|pongamos|poned|configura|configuremos|establece|fija|fijemos|defina|definir|coloque|coloca|configure|bote)\s+${ARTICLE}${NAME}\s+(?:a|en|para|em|como)\s+${VALUE}`,
      'giu',
    ),
    isChange: false,
  },
  {
    pattern: new RegExp(
      String.raw`(?<!\p{L})(?:sube|subamos|baja|bajemos|aumenta|aumentemos|reduce|reduzcamos|cambia|cambiemos|aumente|aumentar|reduza|mude|altere|diminua)\s+${ARTICLE}${NAME}\s+(?:de (?<old>\S+) )?(?:a|para)\s+${VALUE}`,
      'giu',
    ),
    isChange: true,
  },
  {
    pattern: new RegExp(
      String.raw`(?<!\p{L})(?:установи(?:те|м)?|поставь(?:те)?|поставим|задай(?:те)?|зададим|сделай(?:те)?|выстави(?:те)?)\s+${NAME}\s+(?:в|на|=|равным|равной)?\s*${VALUE}`,
      'giu',
    ),
    isChange: false,
  },
  {
    pattern: new RegExp(
      String.raw`(?<!\p{L})(?:увеличь(?:те)?|увеличим|уменьши(?:те|м)?|измени(?:те)?|подними(?:те)?|снизь(?:те)?)\s+${NAME}\s+(?:с (?<old>\S+) )?(?:до|на|в)\s+${VALUE}`,
      'giu',
    ),
    isChange: true,
  },
  {
    pattern: new RegExp(
      String.raw`(?:^|[,;:.]\s*)${ARTICLE}${NAME}\s+(?:beträgt|ist|sind|soll|est(?: de)?|sera de|es(?: de)?|será(?: de)?|son|é(?: de)?|будет|равен|равно)\s+${VALUE}(?: sein| betragen)?`,
      'giu',
    ),
    isChange: false,
  },
  {
    pattern: new RegExp(
      String.raw`(?:把|将)?\s*(?<name>[\p{L}\p{N}_. -]{1,30}?)\s*(?:的值)?(?:从\s*(?<old>[\d\p{L}]+?))?\s*(?:改成|改为|调到|调整为|调成|增加到|提高到|降到|减少到)\s*${VALUE}`,
      'gu',
    ),
    isChange: true,
  },
  {
    pattern: new RegExp(
      String.raw`(?:把|将)?\s*(?<name>[\p{L}\p{N}_. -]{1,30}?)\s*(?:设置为|设置成|设为|设成|设定为|设置到|设)\s*${VALUE}`,
      'gu',
    ),
    isChange: false,
  },
  {
    pattern: new RegExp(
      String.raw`(?<name>[\p{L}\p{N}_. ー-]{1,30}?)を\s*(?:(?<old>[\d\p{L}]+?)から)?\s*${VALUE}\s*(?:に|へ)(?:変更|上げ|下げ|増や|減ら|引き上げ)`,
      'gu',
    ),
    isChange: true,
  },
  {
    pattern: new RegExp(
      String.raw`(?<name>[\p{L}\p{N}_. ー-]{1,30}?)(?:を|は)\s*${VALUE}\s*(?:に(?:設定|して|する|します|しましょう|しよう|セット)|で(?:お願い|す))`,
      'gu',
    ),
    isChange: false,
  },
  {
    pattern: new RegExp(
      String.raw`(?<name>[\p{L}\p{N}_. -]{1,30}?)(?:을|를|은|는)\s*(?:(?<old>[\d]+\S*?)에서\s*)?${VALUE}\s*(?:로|으로)\s*(?:변경|바꾸|바꿔|올리|올려|줄이|줄여|늘리|늘려)`,
      'gu',
    ),
    isChange: true,
  },
  {
    pattern: new RegExp(
      String.raw`(?<name>[\p{L}\p{N}_. -]{1,30}?)(?:을|를|은|는)\s*${VALUE}\s*(?:로|으로)\s*(?:설정|하자|해|합시다|하세요|맞추|지정)`,
      'gu',
    ),
    isChange: false,
  },
]

/** Settings that are said in another language than English. */
export function readSettingsElsewhere(clause: Clause): Finding[] {
  const found: Finding[] = []
  for (const { pattern, isChange } of PATTERNS)
    for (const { groups } of clause.shape.matchAll(pattern)) {
      const { name = '', value = '', old } = groups ?? {}
      const slot = translatedSetting(name) ?? settingSlot(name)
      if (slot === '' || found.some((other) => other.slot === `setting:${slot}`)) continue
      found.push({
        kind: 'choice',
        slot: `setting:${slot}`,
        value: value.trim().replace(/[.,]$/, ''),
        area: '',
        start: clause.start,
        end: clause.end,
        isChange: isChange || old !== undefined,
        ...(old !== undefined && { replaces: old }),
        ...(clause.reason !== undefined && { reason: clause.reason }),
      })
    }
  return found
}
