import type {Generation} from "../generation/generation.ts";
import type {Cadastre, CadastreQuestion} from "./cadastre.ts";

/**
 * Reads what other processes have stored before a county is asked, because the disk is nearer than the county; true when there was
 * something. A question that would be refused at once reads nothing, so that its refusal waits for no disk.
 */
export async function catchUp(
  question: CadastreQuestion,
  generation: Generation,
  cadastre: Cadastre,
): Promise<boolean> {
  if (generation.delta === undefined || !cadastre.hasRoom(question, generation)) return false;
  return generation.delta.catchUp();
}
