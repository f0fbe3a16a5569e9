// #region part
export function boil(litres: number): void {
  console.log(`Boils ${litres} litres`);
}
// #endregion part
