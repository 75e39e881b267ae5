const full = 'its disk is full; make room, then "vitrine resume" goes on'
const broken = 'its disk reports an error; check the drive, then "vitrine resume" goes on'
const inTheWay = 'a file stands in its way; choose another with VITRINE_HOME'
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: full,
  EDQUOT: full,
  SQLITE_FULL: full,
  EIO: broken,
  ENOTDIR: inTheWay,
  EEXIST: inTheWay,
}
/** What SQLite says where the store, which has no codes, repeats its words. */
const fullDisk = /database or disk is full/
const brokenDisk = /disk I\/O error/
const forbidden = /^(EACCES|EPERM|EROFS|ENOENT|SQLITE_READONLY\w*|SQLITE_CANTOPEN\w*)$/

/**
 * A failure to write the data folder, as a sentence on what to do; undefined where the failure is another.
 * @param error from the store or the preferences, or from making the folder
 */
export function dataFolderTrouble(home: string, error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code = '' } = at as NodeJS.ErrnoException
    const other = forbidden.test(code) ? `${code}; allow it, or choose another with VITRINE_HOME` : undefined
    const said = (fullDisk.test(at.message) && full) || (brokenDisk.test(at.message) && broken)
    const reason = said || (reasons[code] ?? other)
    if (reason !== undefined) return `The data folder ${home} cannot be written: ${reason}.`
  }
  return undefined
}
