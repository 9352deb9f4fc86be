/** Why a report cannot be read: what came and what was expected. The caller knows the name of its file. */
export class ReportError extends Error {
  override name = "ReportError";
}
