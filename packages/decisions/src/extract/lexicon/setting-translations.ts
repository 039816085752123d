/** Settings as other languages call them. The first that fits counts. */
export const SETTING_TRANSLATIONS: readonly (readonly [RegExp, string])[] = [
  [
    /max\S* (?:wiederholungen|versuche)|nombre (?:max\S* )?de (?:tentatives|réessais)|(?:máximo de )?reintentos(?: máximos)?|(?:máximo de )?tentativas|(?:максимальное )?(?:количество|число) попыток|(?:最大)?重试次数|最[大多]?重试|重试$|(?:最大)?リトライ(?:回数|数)?|(?:最大)?再試行回数|최대 재시도(?: 횟수)?|재시도 횟수/iu,
    'max-retries',
  ],
  [
    /timeout|zeitüberschreitung|zeitlimit|délai d'(?:attente|expiration)|tiempo de espera|tempo limite|таймаут\p{L}*|^超时(?:时间)?$|把?超时(?:时间)?|タイムアウト|타임아웃|제한 시간/iu,
    'timeout',
  ],
  [
    /^(?:el |la |o |a |le |den |der )?(?:port|puerto|porta|порт|端口号?|ポート(?:番号)?|포트(?: 번호)?)$/iu,
    'port',
  ],
  [
    /batch[- ]?(?:größe|size)|taille (?:de|du) lot|tamaño (?:de|del) lote|tamanho do lote|размер (?:батча|пакета)|批(?:次|量|处理)?大小|バッチサイズ|배치 (?:크기|사이즈)/iu,
    'batch-size',
  ],
  [/log[- ]?level|niveau de log|nivel de log|уровень лог\p{L}*|日志级别|ログレベル|로그 레벨/iu, 'log-level'],
  [
    /seitengröße|taille de page|tamaño de página|tamanho da página|размер страницы|每页\p{L}*|分页大小|ページサイズ|페이지 크기/iu,
    'page-size',
  ],
]
