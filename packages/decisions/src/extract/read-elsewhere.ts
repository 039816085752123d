import { findTechnologies, type TechnologyMention } from '../slots/find-technologies.ts'
import { asFinding } from './as-finding.ts'
import type { Voice } from './choice-cues.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { placeOf } from './place.ts'

/** Verbs of choosing in other languages than English. */
const CHOOSES =
  /(?<!\p{L})(?:wir (?:bauen|schreiben|speichern|testen|deployen|hosten)|(?:machen|bauen|schreiben) wir|nehmen wir|wir nehmen|nimm|nehmt|verwende(?:n wir|t)?|wir verwenden|benutze(?:n wir|t)?|wir benutzen|nutze(?:n wir)?|wir nutzen|setzen (?:wir )?auf|entscheiden (?:wir )?uns für|(?:haben |sind )?(?:wir )?uns für|entschieden|bleiben (?:wir )?bei|bleib bei|lass(?:t)? uns|wir (?:gehen|arbeiten|bauen) mit|wechseln|wechsle|umsteigen|steigen|stell\w* .{2,60} um|umstellen|migrieren|ersetze\w*|soll .{2,60} (?:sein|werden|laufen)|utilise(?:z|ons|r)?|on utilise(?:ra)?|on va utiliser|on part sur|partons sur|prends|prenons|on prend(?:ra)?|choisissons|choisis|on a choisi|on choisit|on a décidé|passons|passe(?:z)?|on passe|migrons|migre(?:z)?|restons sur|on garde|gardons|on reste sur|remplace(?:z|r|ons)?|usa|usá|usad|usemos|usamos|usaremos|vamos a usar|vamos con|vamos a|utiliza|utilicemos|utilizaremos|elegimos|elijamos|escogemos|escojamos|nos quedamos con|quedémonos con|hemos decidido|decidimos|cambia(?:mos)?|cambiemos|pasemos|pasamos|migramos|migremos|migra|reemplaza(?:mos)?|sustituye|mantengamos|seguimos con|vamos usar|vamos de|vamos com|vamos ficar com|escolhemos|ficamos com|fica com|fiquemos com|troque|troca|trocar|mude|mudar|mudamos|migrar|substitua|adote|adotamos|используй(?:те)?|используем|будем использовать|бер[её]м|возьм[её]м|возьми(?:те)?|выбираем|выбрали|выбери|решили|решено|останавливаемся на|остановимся на|остановились на|оста[её]мся на|переходим|перейд[её]м|перейди|переезжаем|давай(?:те)?|меняем|поменяй|замени(?:те|м)?|заменяем|пусть будет|пишем на|храним|делаем|собираем|тестируем|запускаем|разворачиваем|ставим|подключаем|деплоим)(?!\p{L})|就用|改用|换成|换到|改成|改为|切换到|迁移到|使用|采用|选用|选择|选|决定|定为|还是用|用|を使(?:う|い|お|っ|え)|使いましょう|使います|使って|使おう|にしましょう|にします|にする|にしよう|にして|で行(?:く|き|こ)|でいき|でいこう|を採用|採用|に決め|に決定|に変更|に切り替え|に移行|を選|でお願い|置き換え|쓰자|쓰기로|쓸게|써 ?줘|써주세요|씁시다|쓴다|사용하자|사용하기로|사용해|사용합니다|사용합시다|(?:로|으로) (?:하자|가자|결정|합시다|하겠|정하|할게|해|갑시다|바꾸|바꿔|변경|전환|갈아|교체|옮기|이전)|채택/iu

/** What an assistant suggests with. */
const SUGGESTS =
  /(?<!\p{L})(?:soll(?:en)? (?:ich|wir)|dois-je|devrais-je|voulez-vous|veux-tu|je peux|quieres que|debería|puedo|devo|quer que|posso|могу|empfehle|empfehlen|schlage|vorschlag|würde .{2,40} (?:nehmen|verwenden)|propose|recommande|conseille|suggère|sugiero|propongo|recomiendo|aconsejo|sugiro|recomendo|proponho|предлагаю|рекомендую|советую)(?!\p{L})|建议|推荐|要不要|我可以|ましょうか|でしょうか|할까요|드릴까요|お勧め|おすすめ|提案|추천|제안|권장/iu

const CHANGES =
  /(?<!\p{L})(?:wechseln|wechsle|umsteigen|umstellen|stell\w*|migrier\w*|ersetze\w*|statt(?:dessen)?|nicht mehr|passons|passe(?:z)?|on passe|migr\w+|remplac\w+|au lieu|plus de|cambia\w*|cambiemos|pasemos|pasamos|reemplaza\w*|sustituye|en (?:lugar|vez)|ya no|troque|troca\w*|mude|mudar|mudamos|substitua|em vez|não .{1,20} mais|переходим|перейд\p{L}+|переезжаем|меняем|поменяй|замен\p{L}+|вместо|больше не)(?!\p{L})|改用|换成|换到|改成|改为|切换|迁移|代替|而不是|不再|に変更|切り替え|移行|置き換え|ではなく|じゃなくて|代わりに|やめて|바꾸|바꿔|변경|전환|갈아|교체|대신|옮기|말고/iu

const REFUSED_BEFORE =
  /(?:(?<!\p{L})(?:statt|anstatt|anstelle von|nicht|kein\w*|au lieu d[e']|plutôt que|pas|et non|en lugar de|en vez de|y no|no|em vez de|ao invés de|e não|não|вместо|а не|не|без|instead of|not|rather than)|而不是|不用|不要|别用|代替|不再(?:使)?用)\s*(?:de |d'|la |le |el |o |a |usar |utiliser )?$/iu
const REFUSED_BEHIND =
  /^\s*(?:ではなく|じゃなくて|じゃなく|の代わりに|をやめて|から|대신|이 아니라|가 아니라|말고|에서|を.{0,3}$|(?:太|不)|不用|nicht)/u
const FROM = /(?:(?<!\p{L})(?:von|de|du|des|do|da|с|со|from)|从|把|将)\s*$/iu
const TO =
  /(?:(?<!\p{L})(?:auf|zu|nach|à|a|au|vers|para|por|par|durch|на|to)|换成|换到|改成|改为|改用|切换到|迁移到|迁到|到|替换为|替换成|から|を|에서|를|을)\s*$/iu
const OPEN = /(?:(?<!\p{L})(?:or|oder|ou|или|o)\s*$|还是|或者?|または|か、?\s*$|아니면|이나\s*$|나\s*$)/iu
const NO_CHOICE =
  /(?:n't|не использу|nicht verwend\w*|nicht nehmen|ません|ないで|しない|하지 ?마|쓰지 ?마|않)/iu

/** "X brauchen wir nicht mehr", "não usamos mais X". */
const ENDS =
  /(?<!\p{L})(?:nicht mehr|keinen? .{1,30} mehr|verzichten auf|ne .{2,30} plus|n'utilis\p{L}+ plus|abandonn\p{L}+|ya no|dejamos de|não .{2,30} mais|deixamos de|больше не|отказыва\p{L}+ от|убираем|выкидываем)(?!\p{L})|不再(?:用|使用|需要)|不用\p{L}{0,2}了|はもう(?:使わない|不要|いらない)|をやめ|더 ?이상 .{0,20}않|그만 쓰/iu

/** What a clause in another language says that it is over. */
export function readEndElsewhere(clause: Clause): Finding[] {
  const { shape, start, end, reason } = clause
  if (!ENDS.test(shape)) return []
  const mentions = findTechnologies(shape).filter(({ sure }) => sure)
  const [mention, next] = mentions
  if (mention === undefined) return []
  const place = placeOf(mention, shape.slice(mention.end), shape.slice(0, mention.start), '')
  if (place === undefined) return []
  const base = { start, end, area: '', isChange: true, ...(reason !== undefined && { reason }) }
  if (next === undefined) return [{ kind: 'end', slot: place.slot, value: mention.value, ...base }]
  const shared = mention.technology.slots.find((slot) => next.technology.slots.includes(slot))
  return shared === undefined
    ? []
    : [{ kind: 'choice', slot: shared, value: next.value, replaces: mention.value, ...base }]
}

/** What a clause in another language than English chooses. */
export function readElsewhere(clause: Clause, voice: Voice = 'user'): Finding[] {
  const { shape } = clause
  if (!CHOOSES.test(shape) && !(voice === 'assistant' && SUGGESTS.test(shape))) return []
  const mentions = findTechnologies(shape).filter(({ sure }) => sure)
  const found: Finding[] = []
  let old: TechnologyMention | undefined
  const changes = CHANGES.test(shape)
  for (const [index, mention] of mentions.entries()) {
    const before = shape.slice(mentions[index - 1]?.end ?? 0, mention.start)
    const behind = shape.slice(mention.end, mentions[index + 1]?.start ?? shape.length)
    const next = mentions[index + 1]
    if (OPEN.test(before) && index > 0) {
      found.pop()
      continue
    }
    if (
      REFUSED_BEFORE.test(before) ||
      REFUSED_BEHIND.test(behind) ||
      (next !== undefined && (FROM.test(before) || changes) && TO.test(behind))
    ) {
      const last = found.at(-1)
      if (last === undefined) old = mention
      else if (last.replaces === undefined)
        found[found.length - 1] = { ...last, replaces: mention.value, isChange: last.isChange || changes }
      continue
    }
    if (NO_CHOICE.test(behind)) continue
    const place = placeOf(mention, behind, before, '')
    if (place === undefined) continue
    const choice = {
      ...place,
      slot:
        old?.technology.slots.some((slot) => mention.technology.slots.includes(slot)) &&
        place.slot === mention.technology.slots[0]
          ? (old.technology.slots.find((slot) => mention.technology.slots.includes(slot)) ?? place.slot)
          : place.slot,
      value: mention.value,
      start: mention.start,
      end: mention.end,
      isChange: changes,
      ...(old !== undefined && { replaces: old.value }),
    }
    found.push(asFinding(clause, choice, changes))
    old = undefined
  }
  return found
}
