import {states} from "../../lib/geography/states.ts";

/** The 50 states and the District of Columbia, by FIPS code; territories have neither markets nor layers here. */
export const surveyedStates = states.filter(({fips}) => fips <= "56");
